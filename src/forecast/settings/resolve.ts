import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type ComponentLook, hasFlags} from '../../core/model/controlPlane.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import {profileFor, type VersionProfile} from '../../core/model/versionProfile.ts';
import {messageOf} from '../../text/userError.ts';
import {type CatalogueEntry, catalogue} from './catalogue.ts';
import {
	confirms,
	intersectLearned,
	isWithin,
	type LearnedSetting,
	likeliestOf,
	type SettingDoubt,
} from './learned/learnedSetting.ts';
import {type ManagedControlPlane, managedControlPlane} from './managedControlPlane.ts';
import {
	formatLearnedRange,
	formatSettingValue,
	type LearnedRange,
	type Setting,
	type SettingSource,
	sourceOfFlags,
} from './setting.ts';
import {newestVersionOf, type Resolved, type SettingsEvidence, versionOf} from './settingsEvidence.ts';
import {type DefaultDoubt, possibleRange, spanOf} from './span.ts';
import {notesOf, warningsOf} from './warnings.ts';

export type ResolvedSettings = Readonly<{
	settings: ControllerSettings;
	/** The release whose defaults are used. */
	profile: VersionProfile;
	/** The settings as a span: learned ones are known only as ranges. */
	span: SettingsSpan;
	list: readonly Setting[];
	/** Warnings that cast doubt on a forecast. */
	problems: readonly Problem[];
	/** Assumptions, shown with the settings. */
	notes: readonly Problem[];
}>;

type SettingFound = Pick<Setting, 'value' | 'source'>;

/** Resolves each setting: from the command line, else the static pod, else what was learned, else a managed control plane's or the version's default. */
export function resolveSettings(given: SettingsEvidence): ResolvedSettings {
	const profile = profileFor(versionOf(given));
	const evidence = {...given, managed: given.managed ?? managedControlPlane(given.serverVersion)};
	const settable = catalogue.filter(({isSettableIn}) => isSettableIn(profile.minorVersion));
	const found = settable.map((entry) => resolveOne(entry, evidence, profile));
	// If a static pod shows its flags, those that it does not name have their defaults.
	const isUnseen = !hasFlags(evidence.controlPlane.controllerManager);
	const doubts = isUnseen ? doubtsAbout(found, evidence, profile) : [];
	// If behaviour disproves a default, other flags may be set too; a slow client may be a slow API server.
	const isOfFlags = (key: keyof ControllerSettings) => !ofClient.has(key);
	const isLearned = ({key, setting}: Resolved) => isOfFlags(key) && setting.source.kind === 'learned';
	const isInDoubt = doubts.some(({about}) => about.some(isOfFlags)) || (isUnseen && found.some(isLearned));
	const doubt = isInDoubt ? 'inDoubt' : isUnseen && !areFlagsGiven(evidence) ? 'unconfirmed' : undefined;
	// Who lowers what a client may do at once lowers its pace, too.
	const isPaceConfirmed = found.some(({key, isConfirmed}) => key === 'kubeApiQps' && isConfirmed);
	const ofBurst = isPaceConfirmed && doubt === 'unconfirmed' ? undefined : doubt;
	const doubtOf = ({key}: Resolved) => {
		if (doubts.some(({about}) => about.some((one) => one === key))) return 'inDoubt';
		return key === 'kubeApiBurst' ? ofBurst : doubt;
	};
	const resolved = found.map((one) => withDoubt(one, doubtOf(one), evidence));
	const values = Object.fromEntries(resolved.map(({key, setting}) => [key, setting.value]));
	const settings: ControllerSettings = {...profile.settings, ...values};
	const list = resolved.map(({setting}) => setting);
	const newest = profileFor(newestVersionOf(evidence)).settings;
	// A gate that nothing shows may be on.
	const isGateOpen = found.some(
		({key, setting}) => key === 'deviceTaints' && setting.source.kind === 'profile',
	);
	const deviceTaints = isGateOpen && (newest.deviceTaints || doubt !== undefined);
	return {
		settings,
		profile,
		list,
		span: spanOf(settings, resolved.flatMap(rangeOf), {...newest, deviceTaints}),
		problems: [
			...evidence.controlPlane.problems,
			...resolved.flatMap(({problems}) => problems),
			...problemsOf(doubts, found),
			...warningsOf(evidence, resolved, settings, profile),
		],
		notes: notesOf(evidence, profile),
	};
}

/** What limits the requests of the controllers. */
const ofClient: ReadonlySet<keyof ControllerSettings> = new Set(['kubeApiQps', 'kubeApiBurst']);

/** Whether a user gives a flag of the controllers, or a release: then the others are assumed to have their defaults. */
const areFlagsGiven = ({flags, givenFlags, versionFlag}: SettingsEvidence) =>
	versionFlag !== undefined || Object.keys(flags).length + (givenFlags?.size ?? 0) > 0;

/**
 * The doubts that are not only about given settings. If silent nodes are not tainted though the release does that, a flag is
 * set: then the eviction timeout may be set too.
 */
function doubtsAbout(
	found: readonly Resolved[],
	{doubts = []}: SettingsEvidence,
	{settings}: VersionProfile,
): readonly SettingDoubt[] {
	const isOff = found.some(({key, setting}) => key === 'taintBasedEvictions' && setting.value === false);
	const withoutTaints: readonly SettingDoubt[] =
		isOff && settings.taintBasedEvictions
			? [{about: ['podEvictionTimeout'], seen: 'silent nodes are not tainted'}]
			: [];
	return [...doubts, ...withoutTaints].filter(({about}) =>
		found.some(
			({key, setting: {source}}) =>
				about.includes(key) && (source.kind === 'profile' || source.kind === 'learned'),
		),
	);
}

/** Widens a setting of which only the default is known to all values that agree with the observations. */
function withDoubt(
	resolved: Resolved,
	doubt: DefaultDoubt | undefined,
	{bounds = {}, ifDefaults = {}, managed}: SettingsEvidence,
): Resolved {
	const {key, setting} = resolved;
	const possible =
		doubt && setting.source.kind === 'profile' ? possibleRange(key, doubt, managed) : undefined;
	if (!possible || (doubt === 'unconfirmed' && resolved.isConfirmed)) return resolved;
	const seen = [setting.range, bounds[key], doubt === 'unconfirmed' ? ifDefaults[key] : undefined];
	const range = seen.reduce<LearnedRange>((all, one) => (one && intersectLearned(all, one)) ?? all, possible);
	const why = doubt === 'unconfirmed' ? 'not confirmed yet' : 'in doubt';
	const detail = `${setting.source.detail}, ${why}: ${formatLearnedRange(range, setting.unit)} is assumed`;
	return {...resolved, setting: {...setting, range, isInDoubt: true, source: {kind: 'profile', detail}}};
}

/** Reports what casts doubt on the defaults, unless a contradiction of one of them reports it already. */
function problemsOf(doubts: readonly SettingDoubt[], found: readonly Resolved[]): readonly Problem[] {
	if (doubts.length === 0 || found.some(({problems}) => problems.some(isContradiction))) return [];
	const seen = doubts.slice(0, mostDoubts).map((one) => one.seen);
	const message = `the controllers do not behave as with default flags (${seen.join('; ')}): their flags cannot be seen, so ranges allow for other values; pass the flags that you know, such as --node-eviction-rate=0.1`;
	return [{reason: 'DefaultsInDoubt', message}];
}

const mostDoubts = 3;
const isContradiction = ({reason}: Problem) => reason === 'SettingContradicted';

/** The range that a forecast spans; none if the value is given, or only confirmed by behaviour. */
function rangeOf({
	key,
	setting: {source, range, isInDoubt},
}: Resolved): readonly (readonly [keyof ControllerSettings, LearnedRange])[] {
	if (!range || !(source.kind === 'learned' || isInDoubt)) return [];
	return [[key, [range[0], range[1] ?? possibleRange(key, 'inDoubt')?.[1] ?? null]]];
}

function resolveOne(entry: CatalogueEntry, evidence: SettingsEvidence, profile: VersionProfile): Resolved {
	const {key, name, unit} = entry;
	const {look, problems} = readStaticPod(
		entry,
		evidence.controlPlane.controllerManager,
		profile.minorVersion,
	);
	const explicit = flagOf(entry, evidence, profile.minorVersion) ?? look;
	const assumed = explicit ?? assumedOf(entry, evidence, profile);
	const learned = evidence.learned?.[key];
	const open =
		explicit?.source.kind === 'flag' ? undefined : rangeOfOthers(entry, evidence, profile, assumed.value);
	const setting = {name, unit, ...assumed};
	if (open) {
		const range = (learned && intersectLearned(open, learned.range)) ?? open;
		return {key, setting: {...setting, range, isInDoubt: true}, problems};
	}
	if (!learned || typeof assumed.value !== 'number') return {key, setting, problems};
	const {range} = learned;
	const isAgreed = isWithin(assumed.value, range);
	const isDoubted = !explicit && (evidence.doubts ?? []).some(({about}) => about.join() === key);
	if (isAgreed && !isDoubted) {
		const considered = possibleRange(key, 'unconfirmed', evidence.managed);
		const isConfirmed = confirms(key, learned, assumed.value, considered);
		return {key, setting: {...setting, range}, problems, isConfirmed};
	}
	const used = explicit
		? setting
		: {...setting, value: likeliestOf(learned), source: sourceOf(learned, entry)};
	return {
		key,
		setting: {...used, range},
		problems: isAgreed ? problems : [...problems, contradiction(entry, setting, learned, !explicit)],
	};
}

function flagOf(
	{key, name, read, setBy}: CatalogueEntry,
	{flags, givenFlags}: SettingsEvidence,
	minorVersion: number,
): SettingFound | undefined {
	const own = flags[key];
	if (own !== undefined) return {value: own, source: {kind: 'flag', detail: `--${name} of this command`}};
	const value = givenFlags && read(givenFlags, minorVersion);
	if (value === undefined) return undefined;
	const explicit = setBy
		.filter((flag) => givenFlags?.has(flag))
		.map((flag) => `--${flag}=${givenFlags?.get(flag)}`);
	return {value, source: {kind: 'flag', detail: `${explicit.join(' ')} of this command`}};
}

function readStaticPod(
	entry: CatalogueEntry,
	pod: ComponentLook,
	minorVersion: number,
): {readonly look: SettingFound | undefined; readonly problems: readonly Problem[]} {
	const unseen = {look: undefined, problems: []};
	if (!hasFlags(pod)) return unseen;
	try {
		const value = entry.read(pod.flags, minorVersion);
		return value === undefined ? unseen : {look: {value, source: sourceOfFlags(pod)}, problems: []};
	} catch (error) {
		const message = `${pod.seenIn} has ${messageOf(error)}`;
		return {look: undefined, problems: [{reason: 'FlagUnreadable', message}]};
	}
}

/** The values that a setting has if another controller manager leads, or in a newer release; undefined if they are the same. */
function rangeOfOthers(
	entry: CatalogueEntry,
	evidence: SettingsEvidence,
	profile: VersionProfile,
	value: Setting['value'],
): LearnedRange | undefined {
	const look = evidence.controlPlane.controllerManager;
	if (!hasFlags(look) || typeof value !== 'number') return undefined;
	const others = [profile, profileFor(newestVersionOf(evidence))].flatMap(({minorVersion, settings}) =>
		[look.flags, ...(look.others ?? [])].map(
			(flags) => readStaticPod(entry, {...look, flags}, minorVersion).look?.value ?? settings[entry.key],
		),
	);
	const values = [value, ...others.filter((other) => typeof other === 'number')];
	const range = [minOf(values), maxOf(values)] as const;
	return range[0] < range[1] ? range : undefined;
}

/** The value that is assumed if none is given: that of a managed control plane, else the release's default. */
function assumedOf(entry: CatalogueEntry, evidence: SettingsEvidence, profile: VersionProfile): SettingFound {
	const {managed, controlPlane, versionFlag} = evidence;
	const isSeen = hasFlags(controlPlane.controllerManager);
	const documented =
		isSeen || versionFlag !== undefined || !managed ? undefined : assumedBy(managed, entry.key, profile);
	if (!managed || documented === undefined)
		return {value: profile.settings[entry.key], source: defaultOf(entry, evidence, profile)};
	const detail = `${managed.name} ${managed.sets}, recognised by ${managed.by}`;
	return {value: documented, source: {kind: 'profile', detail}};
}

const assumedBy = (
	{grace, others}: ManagedControlPlane,
	key: keyof ControllerSettings,
	{minorVersion}: VersionProfile,
): Setting['value'] | undefined =>
	key === 'nodeMonitorGracePeriod' ? grace?.value?.(minorVersion) : others?.[key];

function defaultOf(
	{key, isRule}: CatalogueEntry,
	{controlPlane, versionFlag}: SettingsEvidence,
	profile: VersionProfile,
): SettingSource {
	const changed = profile.sources.get(key);
	const base = `${isRule ? 'rule' : 'default'} of ${profile.release}${changed ? ` (${changed})` : ''}`;
	if (versionFlag !== undefined) return {kind: 'profile', detail: `${base}, by --kubernetes-version`};
	const {controllerManager} = controlPlane;
	const seen = hasFlags(controllerManager) && !isRule ? `, not set in ${controllerManager.seenIn}` : '';
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
		: `it is used anyway, because the ${source.kind === 'flag' ? 'command line' : 'static pod'} says it`;
	const message = `--${name} is ${formatSettingValue(value, unit)} by ${source.detail}, but the controllers behave as with ${shown} (${observations.at(-1) ?? ''}): ${used}`;
	return {reason: 'SettingContradicted', message};
}
