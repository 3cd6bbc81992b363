import type {Inferred} from '../infer/inferred.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {Repairs} from './deleters/nodeRepair.ts';
import {DeletionQueue} from './deletionQueue.ts';
import {Queues} from './queues.ts';
import {ZoneTaints} from './zones/zoneTaints.ts';

/** What was simulated, and what the conclusions on all nodes and pods share. */
export type Concluded = Simulated &
	Readonly<{
		queues: Queues;
		repairs: Repairs;
		deletions: DeletionQueue;
		taints: ZoneTaints;
	}>;

export function concludedOf(
	inferred: Inferred,
	{changes, runs}: Pick<Simulated, 'changes' | 'runs'>,
): Concluded {
	const simulated = {...inferred, changes, runs};
	return {
		...simulated,
		queues: new Queues(simulated),
		repairs: new Repairs(simulated),
		deletions: new DeletionQueue(simulated),
		taints: new ZoneTaints(simulated),
	};
}
