import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type VersionProfile, valueIn} from '../../core/model/versionProfile.ts';
import {type Difference, differences} from '../../core/model/versionTable.ts';
import {formatSettingValue, type Unit} from '../../forecast/settings/setting.ts';
import type {VersionProfileJson} from '../contract/settings.ts';
import {textTable} from '../tables/tabWriter.ts';

/** All differences between releases, with the values of one of them. */
export const versionRows = ({minorVersion}: VersionProfile): VersionProfileJson['differences'] =>
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
	const headers = ['DIFFERENCE', profile.release.toUpperCase(), 'KIND', 'SINCE', 'SOURCE', 'MEANING'];
	const rows = versionRows(profile).map(({name, value, kind, since, source, meaning}) => [
		name,
		value,
		kind,
		since,
		source,
		meaning,
	]);
	return textTable(headers, rows, showHeaders);
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
