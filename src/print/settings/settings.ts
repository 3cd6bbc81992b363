import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
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
import type {TableOptions} from '../tables/table.ts';
import {textTable} from '../tables/tabWriter.ts';

/** The source of settings, and the problems of reading them. */
export type SettingsHeader = Omit<Seen, 'observedAt'>;

/** Formats settings as a table, with `-o wide` including the details of each source. */
export function formatSettingsTable(
	settings: readonly Setting[],
	{isWide, showHeaders}: TableOptions,
): string {
	const headers = ['NAME', 'VALUE', 'SOURCE', 'KIND', ...(isWide ? ['RANGE', 'DETAIL'] : [])];
	// Settings without a flag come last.
	const ordered = settings.toSorted((a, b) => Number(isRule(a)) - Number(isRule(b)));
	const rows = ordered.map(({name, value, unit, source, range}) => [
		name,
		formatSettingValue(value, unit),
		sourceWords[source.kind],
		kindOf(name),
		...(isWide ? [range ? formatLearnedRange(range, unit) : '<none>', source.detail] : []),
	]);
	return textTable(headers, rows, showHeaders);
}

const rules: ReadonlySet<string> = new Set(
	differences.filter(({kind}) => kind === 'rule').map(({name}) => name),
);

const isRule = ({name}: Setting): boolean => rules.has(name);

/** The kind of a setting: most are flags of kube-controller-manager; a rule is the fixed behaviour of a release. */
function kindOf(name: string): string {
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
export const formatSettingNames = (settings: readonly Setting[]): string =>
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
