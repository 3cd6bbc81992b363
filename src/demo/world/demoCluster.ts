import type {Pod} from '../../core/model/pod.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Random} from '../../core/time/random.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {EventLog} from './eventLog.ts';
import type {ObjectStore} from './objectStore.ts';

/** What the parts of the demo's world share. */
export type DemoCluster = {
	readonly simulation: Simulation;
	readonly store: ObjectStore;
	readonly random: Random;
	readonly events: EventLog;
	readonly workloadOf: (pod: Pod) => DemoWorkload;
	readonly schedule: (dueAt: Instant, act: (now: Instant) => void) => void;
	/** Lets the workloads' controllers react to what the simulation did. */
	readonly follow: (effects: readonly TimedEffect[]) => void;
	readonly putPod: (pod: Pod) => void;
	readonly removePod: (pod: Pod) => void;
};
