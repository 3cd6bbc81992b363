import type {Pod} from '../../core/model/pod.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Random} from '../../core/time/random.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {EventLog} from './eventLog.ts';
import type {ObjectStore} from './objectStore.ts';

/** What the parts of the demo's world share. */
export type DemoCluster = Readonly<{
	simulation: Simulation;
	store: ObjectStore;
	random: Random;
	events: EventLog;
	workloadOf: (pod: Pod) => DemoWorkload;
	schedule: (dueAt: Instant, act: (now: Instant) => void) => void;
	/** Lets the workloads' controllers react to what the simulation did. */
	follow: (effects: readonly TimedEffect[]) => void;
	putPod: (pod: Pod) => void;
	removePod: (pod: Pod) => void;
}>;
