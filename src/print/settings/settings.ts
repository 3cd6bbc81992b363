import type {Problem} from '../../core/model/problem.ts';
import type {VersionProfile} from '../../core/model/versionProfile.ts';
import {differences} from '../../core/model/versionTable.ts';
import {
	formatLearnedRange,
	formatSettingValue,
	type Setting,
	type SettingSource,
} from '../../forecast/settings/setting.ts';
import type {SourceJson} from '../contract/common.ts';
import type {SettingListJson, SettingValueJson} from '../contract/settings.ts';
import {apiVersion} from '../json/json.ts';
import type {TableOptions} from '../tables/table.ts';
import {textTable} from '../tables/tabWriter.ts';
import {versionRows} from './versionTable.ts';

/** The source of settings, and the problems of reading them. */
export type SettingsHeader = {
	readonly source: 'cluster' | 'file';
	readonly kubernetesVersion: string | undefined;
	readonly problems: readonly Problem[];
};

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
		...metadataJson(header),
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

/** The metadata of lists about settings. */
export const metadataJson = ({source, kubernetesVersion, problems}: SettingsHeader): SourceJson => ({
	source,
	kubernetesVersion: kubernetesVersion ?? null,
	problems: problems.map(({reason, message}) => ({reason, message})),
});

/** Durations in flag format; everything else unchanged. */
const jsonValue = (value: Setting['value'], unit: Setting['unit']): SettingValueJson =>
	typeof value === 'number' && unit === 'duration' ? formatSettingValue(value, unit) : value;
