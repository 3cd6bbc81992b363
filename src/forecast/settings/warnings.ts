import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {hasFlags} from '../../core/model/controlPlane.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import {newestKnownRelease, type VersionProfile, valueIn} from '../../core/model/versionProfile.ts';
import {differences, isSettableIn, oldestKnownRelease} from '../../core/model/versionTable.ts';
import {featureGate} from './catalogue.ts';
import {warnedRisks} from './risks.ts';
import {isLeastVersion, type Resolved, type SettingsEvidence, versionOf} from './settingsEvidence.ts';

/** Warnings that cast doubt on forecasts with these settings. */
export const warningsOf = (
	evidence: SettingsEvidence,
	resolved: readonly Resolved[],
	settings: ControllerSettings,
	profile: VersionProfile,
): readonly Problem[] => [
	...notOfRelease(evidence, profile),
	...withoutTaints(resolved, settings),
	...warnedRisks(settings).map(({key, reason, message}) => ({
		reason,
		message: `${message}, by ${resolved.find((one) => one.key === key)?.setting.source.detail}`,
	})),
	...tooOld(evidence, profile),
];

function tooOld(evidence: SettingsEvidence, {fit}: VersionProfile): readonly Problem[] {
	if (fit !== 'older') return [];
	const message = `${versionOf(evidence)} is older than v1.${oldestKnownRelease}, the oldest release whose rules are modelled: how nodes without leases are judged and how pods were evicted then is not, so no times are told`;
	return [{reason: 'VersionOlder', message}];
}

/** Warns if nodes are not tainted: then tolerations have no effect. */
function withoutTaints(
	resolved: readonly Resolved[],
	{taintBasedEvictions, podEvictionTimeout}: ControllerSettings,
): readonly Problem[] {
	const setting = resolved.find(({key}) => key === 'taintBasedEvictions')?.setting;
	if (taintBasedEvictions || !setting) return [];
	const message = `silent nodes are not tainted, by ${setting.source.detail}: their pods are deleted --pod-eviction-timeout=${formatGoDuration(podEvictionTimeout)} after their last sign of life, node by node at the zone's rate, whatever they tolerate; those of DaemonSets stay`;
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
		...(hasFlags(look) ? [{by: look.seenIn, found: look.flags}] : []),
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
	const gates = differences.flatMap((one) => {
		const value = featureGate(flags, one.name);
		const isRefused = one.kind === 'gate' && !isSettableIn(one, minorVersion);
		return !isRefused || value === undefined || value === valueIn(one, minorVersion).value
			? []
			: `--feature-gates=${one.name}=${value}`;
	});
	return [...gone.map((flag) => `--${flag}`), ...gates];
}

/** The assumptions. */
export function notesOf(evidence: SettingsEvidence, profile: VersionProfile): readonly Problem[] {
	const {managed} = evidence;
	const {controllerManager} = evidence.controlPlane;
	const version = versionOf(evidence);
	const notes: (Problem | undefined)[] = [
		hasFlags(controllerManager)
			? undefined
			: {
					reason: 'FlagsUnseen',
					message: `defaults are assumed, or ranges (see settings); set the controllers' flags that you know: ${controllerManager.unknown}`,
				},
		managed && !hasFlags(controllerManager)
			? {
					reason: 'ManagedControlPlane',
					message: `the control plane seems to be ${managed.name} (${managed.by}); settings tells what that sets`,
				}
			: undefined,
		isLeastVersion(evidence)
			? {
					reason: 'VersionOfKubelets',
					message: `the control plane's release is not shown: its newest kubelet's, ${version}, or a newer one is assumed; set --kubernetes-version`,
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
					message: `the version ${version === undefined ? 'is not known' : `"${version}" cannot be read`}: the defaults of ${profile.release} are assumed; set it with --kubernetes-version`,
				}
			: undefined,
	];
	return notes.filter((note) => note !== undefined);
}
