import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {hasFlags} from '../../core/model/controlPlane.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import {newestKnownRelease, type VersionProfile, valueIn} from '../../core/model/versionProfile.ts';
import {differences, isSettableIn, oldestKnownRelease} from '../../core/model/versionTable.ts';
import {featureGate} from './catalogue.ts';
import type {ManagedControlPlane} from './managedControlPlane.ts';
import {formatLearnedRange, type Setting} from './setting.ts';
import type {Resolved, SettingsEvidence} from './settingsEvidence.ts';

/** Warnings that cast doubt on forecasts with these settings. */
export const warningsOf = (
	evidence: SettingsEvidence,
	resolved: readonly Resolved[],
	settings: ControllerSettings,
	profile: VersionProfile,
): readonly Problem[] => [
	...notOfRelease(evidence, profile),
	...withoutTaints(resolved, settings),
	...switchedOff(resolved),
	...unreachable(resolved),
	...tooOld(evidence, profile),
];

/** Warns if the node lifecycle controller is switched off: silent nodes stay Ready. */
function switchedOff(resolved: readonly Resolved[]): readonly Problem[] {
	const setting = resolved.find(({key}) => key === 'nodeLifecycle')?.setting;
	if (setting?.value !== false) return [];
	const message = `the node lifecycle controller is switched off by ${setting.source.detail}: no silent node turns Unknown or is tainted`;
	return [{reason: 'NodeLifecycleOff', message}];
}

/** Warns of a threshold above 1, which the controller manager accepts and no share of nodes reaches; a percentage was meant. */
function unreachable(resolved: readonly Resolved[]): readonly Problem[] {
	const setting = resolved.find(({key}) => key === 'unhealthyZoneThreshold')?.setting;
	if (typeof setting?.value !== 'number' || setting.value <= 1) return [];
	const message =
		`--unhealthy-zone-threshold=${setting.value} by ${setting.source.detail} is more than all nodes of a zone: no ` +
		'zone is ever in PartialDisruption, so evictions never slow down (it is a share: 55 % is 0.55)';
	return [{reason: 'SettingUnusual', message}];
}

function tooOld({versionFlag, serverVersion}: SettingsEvidence, {fit}: VersionProfile): readonly Problem[] {
	if (fit !== 'older') return [];
	const message =
		`${versionFlag ?? serverVersion} is older than any version known here: the rules of v1.${oldestKnownRelease} are ` +
		'used, and forecasts may be wrong';
	return [{reason: 'VersionOlder', message}];
}

/** Warns if nodes are not tainted: then tolerations have no effect. */
function withoutTaints(
	resolved: readonly Resolved[],
	{taintBasedEvictions, podEvictionTimeout}: ControllerSettings,
): readonly Problem[] {
	const setting = resolved.find(({key}) => key === 'taintBasedEvictions')?.setting;
	if (taintBasedEvictions || !setting) return [];
	const message =
		`silent nodes are not tainted, by ${setting.source.detail}: their pods are deleted ` +
		`--pod-eviction-timeout=${formatGoDuration(podEvictionTimeout)} after their last sign of life, node by node at ` +
		`the zone's rate, whatever they tolerate; those of DaemonSets stay`;
	return [{reason: 'EvictionWithoutTaints', message}];
}

/** Warns of flags that the release lacks: its controller manager would not start. */
function notOfRelease(
	{givenFlags, flags, controlPlane}: SettingsEvidence,
	{minorVersion, release}: VersionProfile,
): readonly Problem[] {
	const look = controlPlane.controllerManager;
	const sources = [
		{by: 'this command', found: givenFlags ?? new Map<string, string>()},
		...(hasFlags(look) ? [{by: `pod kube-system/${look.pod}`, found: look.flags}] : []),
	];
	return sources.flatMap(({by, found}) => {
		const refused = refusedFlags(found, minorVersion);
		if (
			by === 'this command' &&
			flags.podEvictionTimeout !== undefined &&
			minorVersion >= firstWithoutTimeout
		)
			refused.push('--pod-eviction-timeout');
		return refused.map((what) => ({
			reason: 'FlagNotOfVersion',
			message: `${what} of ${by} cannot be set in ${release}, whose controller manager would not start with it: it is left out`,
		}));
	});
}

const firstWithoutTimeout = 27;
const removedFlags = ['enable-taint-manager', 'pod-eviction-timeout'];

function refusedFlags(flags: ReadonlyMap<string, string>, minorVersion: number): string[] {
	const gone = removedFlags.filter((flag) => flags.has(flag) && minorVersion >= firstWithoutTimeout);
	const gates = differences.filter(
		(one) =>
			one.kind === 'gate' &&
			!isSettableIn(one, minorVersion) &&
			(featureGate(flags, one.name) ?? valueIn(one, minorVersion).value) !== valueIn(one, minorVersion).value,
	);
	return [
		...gone.map((flag) => `--${flag}`),
		...gates.map(({name}) => `--feature-gates=${name}=${featureGate(flags, name)}`),
	];
}

/**
 * The assumptions.
 *
 * @param unconfirmed settings for which more than the default is assumed
 */
export function notesOf(
	{controlPlane, versionFlag, serverVersion, managed}: SettingsEvidence,
	unconfirmed: readonly Setting[],
	profile: VersionProfile,
): readonly Problem[] {
	const {controllerManager} = controlPlane;
	const version = versionFlag ?? serverVersion;
	const notes: (Problem | undefined)[] = [
		hasFlags(controllerManager)
			? undefined
			: {
					reason: 'FlagsUnseen',
					message: `${controllerManager.unknown}: defaults are assumed, ${rangeWords(unconfirmed)}unless behaviour shows more`,
				},
		managed && !hasFlags(controllerManager)
			? {
					reason: 'ManagedControlPlane',
					message: `the control plane is taken for ${managed.name}, by ${managed.by}: ${managed.name} ${managedWords(managed)}`,
				}
			: undefined,
		profile.fit === 'newer'
			? {
					reason: 'VersionNewer',
					message: `${version} is newer than any known here: the defaults of v1.${newestKnownRelease} are assumed`,
				}
			: undefined,
		profile.fit === 'unreadable'
			? {
					reason: 'VersionUnknown',
					message:
						`the version ${version === undefined ? 'is not known' : `"${version}" cannot be read`}: the defaults of ` +
						`${profile.release} are assumed; set it with --kubernetes-version`,
				}
			: undefined,
	];
	return notes.filter((note) => note !== undefined);
}

function rangeWords(unconfirmed: readonly Setting[]): string {
	const ranges = unconfirmed.flatMap(({name, unit, range}) =>
		range ? `${formatLearnedRange(range, unit)} for ${name}` : [],
	);
	return ranges.length > 0 ? `and ranges allow for ${ranges.join(' and ')}, ` : '';
}

const managedWords = ({documented, source}: ManagedControlPlane): string =>
	Object.keys(documented).length === 0
		? `${source}, so Kubernetes' defaults are assumed`
		: `has defaults of its own (${source})`;
