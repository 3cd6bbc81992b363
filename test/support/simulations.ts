import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import type {Node} from '../../src/core/model/node.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {formatTaint} from '../../src/core/model/taint.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {ProcessSettings} from '../../src/core/nodelifecycle/processSettings.ts';
import type {ClusterEffect, TimedEffect} from '../../src/core/simulation/effect.ts';
import type {Heartbeat} from '../../src/core/simulation/kubelets.ts';
import {Simulation} from '../../src/core/simulation/simulation.ts';
import type {SimulationOptions} from '../../src/core/simulation/simulationOptions.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {CollectedSimulation} from './podgc/collectedSimulation.ts';

type WorldParts = {
	readonly nodes?: readonly Node[];
	readonly pods?: readonly Pod[];
	/** The nodes whose kubelets run; the others are silent from the start. */
	readonly alive?: readonly string[];
	readonly settings?: Partial<ControllerSettings>;
	readonly process?: Partial<ProcessSettings>;
	readonly seed?: number;
	readonly hasPodGc?: boolean;
	readonly onEvent?: SimulationOptions['onEvent'];
};

/**
 * A cluster at instant zero without controllers. By default calls and passes take no time and clients are not throttled, so
 * that times are round.
 */
export function aWorld({nodes = [], pods = [], alive = [], ...options}: WorldParts = {}): Simulation {
	const simulation = new (options.hasPodGc ? CollectedSimulation : Simulation)({
		settings: {...defaultSettings, kubeApiQps: 0, kubeApiBurst: 0, ...options.settings},
		process: {callDuration: 0, passDuration: 0, noExecuteCallsTakeTime: true, ...options.process},
		seed: options.seed ?? 1,
		now: 0,
		hasTaintEviction: options.settings?.taintEviction ?? true,
		...(options.onEvent && {onEvent: options.onEvent}),
	});
	for (const node of nodes) simulation.observe({type: 'nodeApplied', node});
	for (const pod of pods) simulation.observe({type: 'podApplied', pod});
	for (const node of alive) simulation.startKubelet(node, aHeartbeat(), false);
	return simulation;
}

/** A kubelet that renews its lease every ten seconds and posts status every five minutes. */
export const aHeartbeat = (firstRenewalAt: Instant = 0): Heartbeat => ({
	firstRenewalAt,
	renewInterval: 10 * second,
	statusInterval: 5 * minute,
	hasLease: true,
});

/** An effect in a few words: `n1 Ready=Unknown`, `n1 +gpu:NoExecute`, `delete shop/web`. */
export function textOf(effect: ClusterEffect): string {
	switch (effect.type) {
		case 'nodeCondition':
			return `${effect.node} ${effect.condition}=${effect.status}`;
		case 'taintAdded':
			return `${effect.node} +${shortTaint(effect.taint)}`;
		case 'taintRemoved':
			return `${effect.node} -${shortTaint(effect.taint)}`;
		case 'labelsChanged':
			return `${effect.node} labels`;
		case 'podCondition':
			return `${effect.pod} Ready=${effect.ready}`;
		case 'podDeleted':
			return `${'isForced' in effect ? 'force-delete' : 'delete'} ${effect.pod}${effect.again ? ' again' : ''}`;
		case 'nodeEvicted':
			return `evict ${effect.node}`;
		case 'evictionCancelled':
			return `cancel ${effect.pod}`;
	}
}

const shortTaint = (taint: Parameters<typeof formatTaint>[0]) =>
	formatTaint(taint).replace('node.kubernetes.io/', '');

/** Effects with their times in seconds, filtered by a pattern. */
export const story = (effects: readonly TimedEffect[], pattern = /./): string[] =>
	effects
		.map(({at, effect}) => `${Number((at / second).toFixed(3))} s: ${textOf(effect)}`)
		.filter((line) => pattern.test(line));
