import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {type VersionProfile, valueIn} from '../../core/model/versionProfile.ts';
import {type Difference, differences} from '../../core/model/versionTable.ts';
import {
	formatLearnedRange,
	formatSettingValue,
	type Setting,
	type SettingSource,
	type Unit,
} from '../../forecast/settings/setting.ts';
import type {SettingListJson, SettingValueJson, VersionProfileJson} from '../contract/settings.ts';
import {apiVersion, type Seen, sourceJson} from '../json/json.ts';
import type {Column, Tone} from '../tables/kind.ts';
import type {TableOptions} from '../tables/table.ts';
import {Table} from '../tables/table.ts';
import {lengthOf, textTable} from '../tables/tabWriter.ts';

/** The source of settings, and the problems of reading them. */
export type SettingsHeader = Omit<Seen, 'observedAt'>;

const sourceTone = ({source: {kind}}: Setting): Tone =>
	kind === 'flag' ? 'strong' : kind === 'profile' ? 'dim' : 'good';

/** The columns of settings. */
export const settingColumns: readonly Column<Setting>[] = [
	{title: 'NAME', cell: nameOf, drawn: {least: 32, most: 44, sortKey: 'N'}},
	{
		title: 'VALUE',
		cell: ({value, unit}) => formatSettingValue(value, unit),
		drawn: {least: 6, most: 12, tone: 'strong'},
	},
	{
		title: 'SOURCE',
		drop: 3,
		cell: ({source: {kind}}) => sourceWords[kind],
		drawn: {width: 10, tone: sourceTone, sortKey: 'V'},
	},
	{title: 'KIND', cell: kindOf},
	{title: 'RANGE', isWide: true, drop: 2, cell: rangeText, drawn: {least: 12, most: 24, tone: 'dim'}},
	{
		title: 'DETAIL',
		isWide: true,
		drop: 1,
		cell: ({source}) => source.detail,
		brief: ({source}, _context, width = 0) => briefSource(source, width),
		drawn: {least: 16, most: 120, tone: sourceTone},
	},
];

/** What was learned of a setting. */
export function rangeText({range, unit}: Setting): string {
	return range ? formatLearnedRange(range, unit) : '<none>';
}

/** Where a setting is from, without what follows a bracket, a colon or a comma. */
function briefSource({kind, detail}: Setting['source'], width: number): string {
	if (kind === 'learned') return kind;
	const [long = '', short = ''] = [/ \(|: /, / \(|[:,] /].map((end) => detail.split(end)[0]);
	return lengthOf(long) <= width ? long : short;
}

/** Formats settings as a table, with `-o wide` including the details of each source. */
export const formatSettingsTable = (settings: readonly Setting[], {isWide, showHeaders}: TableOptions) =>
	new Table({columns: settingColumns}, {isWide, showHeaders}).rows(
		// Settings without a flag come last.
		settings.toSorted((a, b) => Number(isRule(a)) - Number(isRule(b))),
		0,
	);

const rules: ReadonlySet<string> = new Set(differences.filter(({kind}) => kind === 'rule').map(nameOf));

const isRule = ({name}: Setting) => rules.has(name);

/** The kind of a setting: most are flags of kube-controller-manager; a rule is the fixed behaviour of a release. */
function kindOf({name}: Setting): string {
	if (rules.has(name)) return 'rule';
	if (/^[A-Z]/.test(name)) return 'feature gate';
	if (name.endsWith('-controller')) return '--controllers';
	if (name.startsWith('node-lease-')) return 'kubelet';
	return name.endsWith('-toleration-seconds') ? 'kube-apiserver' : 'flag';
}

export const sourceWords: Readonly<Record<SettingSource['kind'], string>> = {
	flag: 'flag',
	staticPod: 'static pod',
	vendor: 'vendor',
	configz: 'configz',
	learned: 'learned',
	profile: 'default',
};

/** One `setting/NAME` per line. */
export const formatSettingNames = (settings: readonly Setting[]) =>
	settings.map(({name}) => `setting/${name}\n`).join('');

/** The list of the JSON contract. */
export const settingsJson = (
	settings: readonly Setting[],
	header: SettingsHeader,
	profile: VersionProfile,
): SettingListJson => ({
	apiVersion,
	kind: 'SettingList',
	metadata: {
		...sourceJson(header),
		profile: {release: profile.release, fit: profile.fit, differences: versionRows(profile)},
	},
	items: settings.map(({name, value, unit, source, range}) => ({
		kind: 'Setting',
		metadata: {name},
		value: jsonValue(value, unit),
		source: {kind: source.kind, detail: source.detail},
		range: range ? {lo: jsonValue(range[0], unit), hi: jsonValue(range[1], unit)} : null,
	})),
});

/** Durations in flag format; everything else unchanged. */
const jsonValue = (value: Setting['value'], unit: Setting['unit']): SettingValueJson =>
	typeof value === 'number' && unit === 'duration' ? formatSettingValue(value, unit) : value;

/** All differences between releases, with the values of one of them. */
const versionRows = ({minorVersion}: VersionProfile): VersionProfileJson['differences'] =>
	differences.map((one) => {
		const {since, value, source} = valueIn(one, minorVersion);
		return {
			name: one.name,
			value: formatSettingValue(value, unitOf(one.key, value)),
			kind: kindIn(one, minorVersion),
			since: `v1.${since}`,
			source,
			meaning: one.meaning,
		};
	});

/** As a table, with the release's name in the header. */
export function formatVersionTable(profile: VersionProfile, showHeaders: boolean): string {
	const columns = [
		['DIFFERENCE', 'name'],
		[profile.release.toUpperCase(), 'value'],
		['KIND', 'kind'],
		['SINCE', 'since'],
		['SOURCE', 'source'],
		['MEANING', 'meaning'],
	] as const;
	const rows = versionRows(profile).map((row) => columns.map(([, field]) => row[field]));
	return textTable(
		columns.map(([header]) => header),
		rows,
		showHeaders,
	);
}

const durations: readonly (keyof ControllerSettings)[] = [
	'nodeMonitorGracePeriod',
	'podEvictionTimeout',
	'firstPassAfter',
];

const unitOf = (key: keyof ControllerSettings, value: unknown): Unit =>
	durations.includes(key) ? 'duration' : typeof value === 'string' ? 'word' : 'number';

function kindIn({kind, fixedSince, settableSince}: Difference, minorVersion: number): string {
	if (kind === 'rule') return kind;
	if (minorVersion >= (fixedSince ?? Number.POSITIVE_INFINITY)) return kind === 'gate' ? 'locked' : 'gone';
	return minorVersion < (settableSince ?? 0) ? 'not yet' : kind;
}
