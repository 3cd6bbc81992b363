import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type ComponentLook, type ControlPlane, hasFlags} from '../../core/model/controlPlane.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {VersionProfile} from '../../core/model/versionProfile.ts';
import {newestKnownRelease, profileFor, valueIn} from '../../core/model/versionProfile.ts';
import {differences, isSettableIn, oldestKnownRelease} from '../../core/model/versionTable.ts';
import type {SettingsSpan} from '../infer/settingsSpan.ts';
import {type CatalogueEntry, catalogue, featureGate} from './catalogue.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSetting,
	type LearnedSettings,
	likeliestOf,
} from './learned/learnedSetting.ts';
import {formatLearnedRange, formatSettingValue, type Setting, type SettingSource} from './setting.ts';
import {spanOf} from './span.ts';

/** Everything that the controllers' settings are resolved from. */
export type SettingsEvidence = {
	/** Settings on the command line. */
	readonly flags: Partial<ControllerSettings>;
	/** Flags of the controller manager that the command line repeats as they are; absent where there are none. */
	readonly givenFlags?: ReadonlyMap<string, string>;
	/** What `--kubernetes-version` says. */
	readonly versionFlag: string | undefined;
	/** What `/version` says. */
	readonly serverVersion: string | undefined;
	readonly controlPlane: ControlPlane;
	readonly learned: LearnedSettings;
};

/** The settings in force, each with its source. */
export type ResolvedSettings = {
	readonly settings: ControllerSettings;
	/** The release whose defaults are used. */
	readonly profile: VersionProfile;
	/** The settings as a span: those that were learned are known only as ranges. */
	readonly span: SettingsSpan;
	readonly list: readonly Setting[];
	/** Warnings that cast doubt on a forecast. */
	readonly problems: readonly Problem[];
	/** Assumptions, shown with the settings. */
	readonly notes: readonly Problem[];
};

/** Resolves each setting: from the command line, else the static pod, else what was learned, else the version's default. */
export function resolveSettings(evidence: SettingsEvidence): ResolvedSettings {
	const profile = profileFor(evidence.versionFlag ?? evidence.serverVersion);
	const settable = catalogue.filter(({isSettableIn}) => isSettableIn(profile.minorVersion));
	const resolved = settable.map((entry) => resolveOne(entry, evidence, profile));
	const values = Object.fromEntries(resolved.map(({key, setting}) => [key, setting.value]));
	const settings: ControllerSettings = {...profile.settings, ...values};
	return {
		settings,
		profile,
		span: spanOf(settings, learnedOf(resolved, evidence.learned)),
		list: resolved.map(({setting}) => setting),
		problems: [
			...evidence.controlPlane.problems,
			...resolved.flatMap(({problems}) => problems),
			...notOfRelease(evidence, profile),
			...withoutTaints(resolved, settings),
			...switchedOff(resolved),
			...unreachable(resolved),
			...tooOld(evidence, profile),
		],
		notes: notesOf(evidence, profile),
	};
}

/** The settings for which what was learned is used. */
function learnedOf(resolved: readonly Resolved[], learned: LearnedSettings) {
	return resolved.flatMap(({key, setting}) => {
		const one = setting.source.kind === 'learned' ? learned[key as LearnableKey] : undefined;
		return one ? [[key as LearnableKey, one] as const] : [];
	});
}

type Resolved = {
	readonly key: keyof ControllerSettings;
	readonly setting: Setting;
	readonly problems: readonly Problem[];
};

function resolveOne(entry: CatalogueEntry, evidence: SettingsEvidence, profile: VersionProfile): Resolved {
	const {key, name, unit} = entry;
	const {look, problems} = readStaticPod(
		entry,
		evidence.controlPlane.controllerManager,
		profile.minorVersion,
	);
	const said = flagOf(entry, evidence, profile.minorVersion) ?? look;
	const assumed = said ?? {value: profile.settings[key], source: defaultOf(entry, evidence, profile)};
	const learned = evidence.learned[key as LearnableKey];
	const setting = {name, unit, ...assumed};
	if (!learned || typeof assumed.value !== 'number') return {key, setting, problems};
	const {range} = learned;
	if (isPossible(key as LearnableKey, assumed.value, learned))
		return {key, setting: {...setting, range}, problems};
	const used = said ? setting : {...setting, value: likeliestOf(learned), source: sourceOf(learned, entry)};
	return {
		key,
		setting: {...used, range},
		problems: [...problems, contradiction(entry, setting, learned, !said)],
	};
}

function flagOf(
	{key, name, read, saidBy}: CatalogueEntry,
	{flags, givenFlags}: SettingsEvidence,
	minorVersion: number,
): Pick<Setting, 'value' | 'source'> | undefined {
	const own = flags[key];
	if (own !== undefined) return {value: own, source: {kind: 'flag', detail: `--${name} of this command`}};
	const value = givenFlags && read(givenFlags, minorVersion);
	if (value === undefined) return undefined;
	const said = saidBy
		.filter((flag) => givenFlags?.has(flag))
		.map((flag) => `--${flag}=${givenFlags?.get(flag)}`);
	return {value, source: {kind: 'flag', detail: `${said.join(' ')} of this command`}};
}

function readStaticPod(
	entry: CatalogueEntry,
	pod: ComponentLook,
	minorVersion: number,
): {readonly look: Pick<Setting, 'value' | 'source'> | undefined; readonly problems: readonly Problem[]} {
	if (!hasFlags(pod)) return {look: undefined, problems: []};
	try {
		const value = entry.read(pod.flags, minorVersion);
		if (value === undefined) return {look: undefined, problems: []};
		return {look: {value, source: {kind: 'staticPod', detail: `pod kube-system/${pod.pod}`}}, problems: []};
	} catch (error) {
		const message = `pod kube-system/${pod.pod} has ${error instanceof Error ? error.message : String(error)}`;
		return {look: undefined, problems: [{reason: 'FlagUnreadable', message}]};
	}
}

function defaultOf(
	{key, isRule}: CatalogueEntry,
	{controlPlane, versionFlag}: SettingsEvidence,
	profile: VersionProfile,
): SettingSource {
	const changed = profile.sources.get(key);
	const base = `${isRule ? 'rule' : 'default'} of ${profile.release}${changed ? ` (${changed})` : ''}`;
	if (versionFlag !== undefined) return {kind: 'profile', detail: `${base}, by --kubernetes-version`};
	const {controllerManager} = controlPlane;
	const seen =
		hasFlags(controllerManager) && !isRule ? `, not set in pod kube-system/${controllerManager.pod}` : '';
	return {kind: 'profile', detail: `${base}${seen}`};
}

const sourceOf = ({range, observations}: LearnedSetting, {unit}: CatalogueEntry): SettingSource => ({
	kind: 'learned',
	detail: `${formatLearnedRange(range, unit)}: ${observations.join('; ')}`,
});

function contradiction(
	{name, unit}: CatalogueEntry,
	{value, source}: Setting,
	learned: LearnedSetting,
	isLearnedUsed: boolean,
): Problem {
	const {range, observations} = learned;
	const shown = formatLearnedRange(range, unit);
	const used = isLearnedUsed
		? `${formatSettingValue(likeliestOf(learned), unit)} is used`
		: `it is used all the same, as the ${source.kind === 'flag' ? 'command line' : 'static pod'} says it`;
	const message =
		`--${name} is ${formatSettingValue(value, unit)} by ${source.detail}, but the controllers behave as with ` +
		`${shown} (${observations.at(-1) ?? ''}): ${used}`;
	return {reason: 'SettingContradicted', message};
}

/** Warns where the node lifecycle controller is switched off: silent nodes stay Ready. */
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
		`--unhealthy-zone-threshold=${setting.value} by ${setting.source.detail} is more than all nodes of a zone: none ` +
		'ever counts as partly disrupted, so its evictions never slow down (it is a share: 55 % is 0.55)';
	return [{reason: 'SettingUnusual', message}];
}

function tooOld({versionFlag, serverVersion}: SettingsEvidence, {fit}: VersionProfile): readonly Problem[] {
	if (fit !== 'older') return [];
	const message =
		`${versionFlag ?? serverVersion} is older than any whose rules are known here: those of v1.${oldestKnownRelease} are ` +
		'used, and forecasts may be wrong';
	return [{reason: 'VersionOlder', message}];
}

/** Warns where nodes are not tainted: then tolerations mean nothing. */
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

/** Warns of flags that the release does not know: its controller manager would not start. */
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

function notesOf(
	{controlPlane, versionFlag, serverVersion}: SettingsEvidence,
	profile: VersionProfile,
): readonly Problem[] {
	const {controllerManager} = controlPlane;
	const version = versionFlag ?? serverVersion;
	const notes: (Problem | undefined)[] = [
		hasFlags(controllerManager)
			? undefined
			: {
					reason: 'FlagsUnseen',
					message: `${controllerManager.unknown}: defaults are assumed, unless behaviour shows more`,
				},
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
						`${profile.release} are assumed; say it with --kubernetes-version`,
				}
			: undefined,
	];
	return notes.filter((note) => note !== undefined);
}
