import {type ClientLimit, clientLimit} from '../../core/client/clientLimit.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {parseGoBoolean, parseGoDuration} from '../../core/model/goValues.ts';
import {defaultSettings, valueIn} from '../../core/model/versionProfile.ts';
import {type Difference, differenceOf, isSettableIn} from '../../core/model/versionTable.ts';
import {messageOf} from '../../text/userError.ts';
import type {Unit} from './setting.ts';

/** One setting of the controllers: its name for display, and how flags set it. */
export type CatalogueEntry = Readonly<{
	key: keyof ControllerSettings;
	name: string;
	unit: Unit;
	/** Whether no flag sets it: the version alone decides. */
	isRule: boolean;
	/** Whether a release has it. If not, it is not shown, and its flags are refused. */
	isSettableIn: (minorVersion: number) => boolean;
	/** The flags that set it; by default its own name. */
	setBy: readonly string[];
	/** Reads it from a component's flags; undefined if they do not set it. Throws an Error for a value that cannot be parsed. */
	read: (flags: GivenFlags, minorVersion: number) => number | boolean | undefined;
}>;

type GivenFlags = ReadonlyMap<string, string>;

const ofFlag =
	<T>(flag: string, parse: (text: string) => T) =>
	(flags: GivenFlags): T | undefined => {
		const text = flags.get(flag);
		if (text === undefined) return undefined;
		try {
			return parse(text);
		} catch (error) {
			throw new Error(`--${flag}=${text}: ${messageOf(error)}`);
		}
	};

function aDuration(text: string): number {
	const value = parseGoDuration(text);
	if (value < 0) throw new Error('negative');
	return value;
}

function aPositiveDuration(text: string): number {
	const value = aDuration(text);
	if (value < 1) throw new Error('less than 1ms');
	return value;
}

// Go treats a negative rate as no limit.
const aNumber = (text: string): number => Math.max(0, aSignedNumber(text));

/** A boolean as Go parses it. */
function aSwitch(text: string): boolean {
	const value = parseGoBoolean(text);
	if (value === undefined) throw new Error('neither true nor false');
	return value;
}

/**
 * Whether `--controllers` enables a controller; undefined if the flag is not given. The first entry that names it decides;
 * otherwise a star enables it.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/controller-manager/app/helper.go IsControllerEnabled
 */
function isControllerEnabled(flags: GivenFlags, names: readonly string[]): boolean | undefined {
	const entries = flags
		.get('controllers')
		?.split(',')
		.map((entry) => entry.trim());
	if (!entries) return undefined;
	const naming = entries.find((entry) => names.includes(entry.replace(/^-/, '')));
	return naming === undefined ? entries.includes('*') : !naming.startsWith('-');
}

/** The value of one gate in `--feature-gates`; undefined if it is not named. */
export function featureGate(flags: GivenFlags, gate: string): boolean | undefined {
	const entry = flags
		.get('feature-gates')
		?.split(',')
		.map((text) => text.trim().split('='))
		.findLast(([name]) => name === gate);
	return entry === undefined ? undefined : parseGoBoolean(entry[1]?.trim() ?? '');
}

function aSignedNumber(text: string): number {
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value)) throw new Error('not a number');
	return value;
}

/** Two flags that are read together: the meaning of one depends on the other. */
function readClientLimit(flags: GivenFlags): ClientLimit {
	const qps = ofFlag('kube-api-qps', aSignedNumber)(flags) ?? defaultSettings.kubeApiQps;
	const burst = ofFlag('kube-api-burst', aSignedNumber)(flags) ?? defaultSettings.kubeApiBurst;
	const limit = clientLimit(qps, burst);
	if (!limit) throw new Error(`--kube-api-burst=${burst}: a rate needs a burst`);
	return limit;
}

const nodeLifecycleNames = ['node-lifecycle-controller', 'nodelifecycle'];

/** Until this release there was --enable-taint-manager; if that was false, pods were deleted after a timeout. */
const lastWithTaintManagerFlag = 26;
/** Until this release the gate TaintBasedEvictions did the same. */
const lastWithEvictionGate = 17;

/** Whether pods are evicted for taints; undefined if the flags do not say. */
function readTaintEviction(flags: GivenFlags, minorVersion: number): boolean | undefined {
	if (isTaintManagerOff(flags, minorVersion)) return false;
	// Without the gate, taint eviction is a part of the node lifecycle controller: --controllers does not matter.
	const separate = differenceOf('separateTaintEvictionController');
	const isOwn = (readGate(separate)(flags, minorVersion) ?? valueIn(separate, minorVersion).value) === true;
	return isControllerEnabled(flags, isOwn ? ['taint-eviction-controller'] : nodeLifecycleNames);
}

/** Whether silent nodes are tainted; undefined if the flags do not say. */
function readTaintBasedEvictions(flags: GivenFlags, minorVersion: number): boolean | undefined {
	if (isTaintManagerOff(flags, minorVersion)) return false;
	return minorVersion <= lastWithEvictionGate ? featureGate(flags, 'TaintBasedEvictions') : undefined;
}

const isTaintManagerOff = (flags: GivenFlags, minorVersion: number) =>
	minorVersion <= lastWithTaintManagerFlag && ofFlag('enable-taint-manager', aSwitch)(flags) === false;

/** Reads a gate in the releases in which it can be set; a locked gate has its default. */
const readGate =
	(one: Difference) =>
	(flags: GivenFlags, minorVersion: number): boolean | undefined =>
		isSettableIn(one, minorVersion) ? featureGate(flags, one.name) : undefined;

const entry = (
	key: keyof ControllerSettings,
	name: string,
	unit: Unit,
	read?: CatalogueEntry['read'],
): CatalogueEntry => ({
	key,
	name,
	unit,
	isRule: read === undefined,
	isSettableIn: () => true,
	setBy: [name],
	read: read ?? (() => undefined),
});

type KeyOf<Value> = {
	[Key in keyof ControllerSettings]: ControllerSettings[Key] extends Value ? Key : never;
}[keyof ControllerSettings];

/** A feature gate that some releases have. */
function gate(key: KeyOf<boolean>): CatalogueEntry {
	const one = differenceOf(key);
	return {
		...entry(key, one.name, 'switch', readGate(one)),
		isSettableIn: (minorVersion) => isSettableIn(one, minorVersion),
		setBy: ['feature-gates'],
	};
}

const flagged = (key: KeyOf<number>, name: string, unit: Unit, parse: (text: string) => number) =>
	entry(key, name, unit, ofFlag(name, parse));

/** All settings of the controllers, in the order of display. */
export const catalogue: readonly CatalogueEntry[] = [
	flagged('nodeMonitorPeriod', 'node-monitor-period', 'duration', aPositiveDuration),
	flagged('nodeMonitorGracePeriod', 'node-monitor-grace-period', 'duration', aDuration),
	flagged('nodeStartupGracePeriod', 'node-startup-grace-period', 'duration', aDuration),
	{
		...flagged('podEvictionTimeout', 'pod-eviction-timeout', 'duration', aDuration),
		isSettableIn: (minorVersion) => minorVersion <= lastWithTaintManagerFlag,
	},
	flagged('nodeEvictionRate', 'node-eviction-rate', 'number', aNumber),
	flagged('secondaryNodeEvictionRate', 'secondary-node-eviction-rate', 'number', aNumber),
	flagged('unhealthyZoneThreshold', 'unhealthy-zone-threshold', 'number', aNumber),
	flagged('largeClusterSizeThreshold', 'large-cluster-size-threshold', 'number', aNumber),
	entry('kubeApiQps', 'kube-api-qps', 'number', (flags) =>
		flags.has('kube-api-qps') ? readClientLimit(flags).qps : undefined,
	),
	entry('kubeApiBurst', 'kube-api-burst', 'number', (flags) =>
		flags.has('kube-api-burst') ? readClientLimit(flags).burst : undefined,
	),
	{
		...entry('nodeLifecycle', 'node-lifecycle-controller', 'switch', (flags) =>
			isControllerEnabled(flags, nodeLifecycleNames),
		),
		setBy: ['controllers'],
	},
	{
		...entry('taintEviction', 'taint-eviction-controller', 'switch', readTaintEviction),
		setBy: ['enable-taint-manager', 'controllers'],
	},
	{
		...entry('taintBasedEvictions', 'TaintBasedEvictions', 'switch', readTaintBasedEvictions),
		isSettableIn: (minorVersion) => minorVersion <= lastWithTaintManagerFlag,
		setBy: ['enable-taint-manager', 'feature-gates'],
	},
	entry('leaderElection', 'leader-elect', 'switch', ofFlag('leader-elect', aSwitch)),
	gate('taintNodesByCondition'),
	gate('nodeLease'),
	gate('nodeDisruptionExclusion'),
	gate('legacyNodeRoleBehavior'),
	gate('podDisruptionConditions'),
	gate('nodeOutOfServiceVolumeDetach'),
	gate('separateTaintEvictionController'),
	gate('comparisonOperators'),
	gate('confirmsSilence'),
	{
		...gate('deviceTaints'),
		read: (flags, minorVersion) =>
			isControllerEnabled(flags, ['device-taint-eviction-controller']) === false
				? false
				: readGate(differenceOf('deviceTaints'))(flags, minorVersion),
		setBy: ['feature-gates', 'controllers'],
	},
	entry('queuesInPassOfTransition', 'taint-queued-in-pass-of-unknown', 'switch'),
	entry('firstPassAfter', 'first-pass-after', 'duration'),
];
