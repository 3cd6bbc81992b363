import type {ClusterApi} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {type LifecycleWake, NodeLifecycleController} from '../nodelifecycle/nodeLifecycleController.ts';
import type {ProcessSettings} from '../nodelifecycle/processSettings.ts';
import {type EvictionWake, TaintEvictionController} from '../tainteviction/taintEvictionController.ts';
import type {Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';

/** One run of kube-controller-manager: its controllers start and end together. */
export type ControllerProcess = Readonly<{
	id: number;
	lifecycle: NodeLifecycleController;
	eviction: TaintEvictionController;
	/** The pods that have an event about a cancelled eviction; later events only raise its count. */
	reportedCancelled: Set<string>;
}>;

/** A timer of one run's controller. It is stale once that run has ended. */
export type ControllerEvent =
	| {readonly type: 'lifecycle'; readonly process: number; readonly wake: LifecycleWake}
	| {readonly type: 'eviction'; readonly process: number; readonly wake: EvictionWake};

/** What a run of the controllers needs from its environment. */
export type ProcessWorld = {
	readonly api: ClusterApi;
	readonly random: Random;
	readonly schedule: (at: Instant, event: ControllerEvent) => void;
};

/** Makes a new run, with empty state and nothing scheduled. */
export function newProcess(
	id: number,
	settings: ControllerSettings,
	process: ProcessSettings,
	world: ProcessWorld,
): ControllerProcess {
	const ports = portsOf(id, world);
	return {
		id,
		lifecycle: new NodeLifecycleController(settings, process, ports.lifecycle, world.random),
		eviction: new TaintEvictionController(settings, process.callDuration, ports.eviction),
		reportedCancelled: new Set(),
	};
}

export function forkProcess(process: ControllerProcess, world: ProcessWorld): ControllerProcess {
	const ports = portsOf(process.id, world);
	return {
		id: process.id,
		lifecycle: process.lifecycle.fork(ports.lifecycle, world.random),
		eviction: process.eviction.fork(ports.eviction),
		reportedCancelled: new Set(process.reportedCancelled),
	};
}

function portsOf(process: number, {api, schedule}: ProcessWorld) {
	return {
		lifecycle: {
			api,
			wakeAt: (at: Instant, wake: LifecycleWake) => schedule(at, {type: 'lifecycle', process, wake}),
		},
		eviction: {
			api,
			wakeAt: (at: Instant, wake: EvictionWake) => schedule(at, {type: 'eviction', process, wake}),
		},
	};
}
