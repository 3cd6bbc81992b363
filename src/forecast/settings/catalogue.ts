import {type ClientLimit, clientLimit} from '../../core/client/clientLimit.ts';
import {type ControllerSettings, defaultSettings} from '../../core/model/controllerSettings.ts';
import {parseGoBoolean, parseGoDuration} from '../../core/model/goValues.ts';
import type {Unit} from './setting.ts';

/** One setting of the controllers: its name for people, and how a flag says it. */
export type CatalogueEntry<Key extends keyof ControllerSettings = keyof ControllerSettings> = {
	readonly key: Key;
	readonly name: string;
	readonly unit: Unit;
	/** Whether no flag says it, and the version alone decides. */
	readonly isRule: boolean;
	/**
	 * Reads it from a component's flags; undefined where they do not say. Throws an Error where what they say cannot be
	 * understood.
	 */
	readonly read: (
		flags: ReadonlyMap<string, string>,
		minorVersion: number,
	) => ControllerSettings[Key] | undefined;
};

type Flags = ReadonlyMap<string, string>;

const ofFlag =
	<T>(flag: string, parse: (text: string) => T) =>
	(flags: Flags): T | undefined => {
		const text = flags.get(flag);
		if (text === undefined) return undefined;
		try {
			return parse(text);
		} catch (error) {
			throw new Error(`--${flag}=${text}: ${error instanceof Error ? error.message : String(error)}`);
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

// Go takes a negative rate for none at all.
const aNumber = (text: string): number => Math.max(0, aSignedNumber(text));

/** A switch as Go reads it. */
export function aSwitch(text: string): boolean {
	const value = parseGoBoolean(text);
	if (value === undefined) throw new Error('neither true nor false');
	return value;
}

/**
 * Whether `--controllers` leaves a controller running; undefined where the flag is not given. The first entry that names
 * it decides, else whether there is a star.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/controller-manager/app/helper.go IsControllerEnabled
 */
export function isControllerEnabled(flags: Flags, names: readonly string[]): boolean | undefined {
	const entries = flags
		.get('controllers')
		?.split(',')
		.map((entry) => entry.trim());
	if (!entries) return undefined;
	const naming = entries.find((entry) => names.includes(entry.replace(/^-/, '')));
	return naming === undefined ? entries.includes('*') : !naming.startsWith('-');
}

/** What `--feature-gates` says of one gate; undefined where it says nothing. */
export function featureGate(flags: Flags, gate: string): boolean | undefined {
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

/** The two flags together: what one means depends on the other. */
function readClientLimit(flags: Flags): ClientLimit {
	const qps = ofFlag('kube-api-qps', aSignedNumber)(flags) ?? defaultSettings.kubeApiQps;
	const burst = ofFlag('kube-api-burst', aSignedNumber)(flags) ?? defaultSettings.kubeApiBurst;
	const limit = clientLimit(qps, burst);
	if (!limit) throw new Error(`--kube-api-burst=${burst}: a rate needs a burst`);
	return limit;
}

const nodeLifecycleNames = ['node-lifecycle-controller', 'nodelifecycle'];

/** The first release in which taint eviction is a controller of its own. */
const separateSince = 29;

/** Whether pods are evicted because of taints at all; undefined where the flags do not say. */
function readTaintEviction(flags: Flags, minorVersion: number): boolean | undefined {
	if (ofFlag('enable-taint-manager', aSwitch)(flags) === false) return false;
	// Without the gate it is a part of the node lifecycle controller, whatever --controllers says of it.
	const isOwn =
		minorVersion >= separateSince && (featureGate(flags, 'SeparateTaintEvictionController') ?? true);
	return isControllerEnabled(flags, isOwn ? ['taint-eviction-controller'] : nodeLifecycleNames);
}

const entry = <Key extends keyof ControllerSettings>(
	key: Key,
	name: string,
	unit: Unit,
	read?: CatalogueEntry<Key>['read'],
): CatalogueEntry<Key> => ({key, name, unit, isRule: read === undefined, read: read ?? (() => undefined)});

const flagged = (
	key: 'nodeMonitorPeriod' | 'nodeStartupGracePeriod' | 'nodeMonitorGracePeriod' | NumberKey,
	name: string,
	unit: Unit,
	parse: (text: string) => number,
) => entry(key, name, unit, ofFlag(name, parse));

type NumberKey =
	| 'nodeEvictionRate'
	| 'secondaryNodeEvictionRate'
	| 'largeClusterSizeThreshold'
	| 'unhealthyZoneThreshold';

/** Every setting of the controllers, in the order in which they are shown. */
export const catalogue: readonly CatalogueEntry[] = [
	flagged('nodeMonitorPeriod', 'node-monitor-period', 'duration', aPositiveDuration),
	flagged('nodeMonitorGracePeriod', 'node-monitor-grace-period', 'duration', aDuration),
	flagged('nodeStartupGracePeriod', 'node-startup-grace-period', 'duration', aDuration),
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
	entry('nodeLifecycle', 'node-lifecycle-controller', 'switch', (flags) =>
		isControllerEnabled(flags, nodeLifecycleNames),
	),
	entry('taintEviction', 'taint-eviction-controller', 'switch', readTaintEviction),
	entry('leaderElection', 'leader-elect', 'switch', ofFlag('leader-elect', aSwitch)),
	entry('comparisonOperators', 'TaintTolerationComparisonOperators', 'switch', (flags) =>
		featureGate(flags, 'TaintTolerationComparisonOperators'),
	),
	entry('queuesInPassOfTransition', 'taint-queued-in-pass-of-unknown', 'switch'),
	entry('firstPassAfter', 'first-pass-after', 'duration'),
];
