import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import type {Divergence, ExpectedAction} from './divergence.ts';

/** Something of the kind that the controllers do, as a watch saw it. */
export type SeenAction = {
	readonly action: ExpectedAction;
	readonly id: string;
	readonly object: Divergence['object'];
	readonly node: string;
	readonly zone: string;
	readonly at: Interval;
	/** Who wrote it, where that were not the controllers. */
	readonly writer?: string;
	/** Since when the object had been in the state that it left. */
	readonly stateSince: Instant;
	/** The pod as it was before, where it is deleted. */
	readonly pod?: Pod;
	/** Whether nothing shows that it was the controllers: anybody may delete a pod whose node is gone. */
	readonly isAnybodys?: boolean;
};

/** Something that others did, or that new controllers bring: what was foretold before holds no longer. */
export type Disturbance =
	/** Of a node: the zones may be others, and with them all that is to come to nodes. */
	| {readonly type: 'nodes'}
	/** The pods of one node have other countdowns. */
	| {readonly type: 'podsOf'; readonly node: string}
	| {readonly type: 'pod'; readonly uid: string}
	| {readonly type: 'leader'};

/** What stands for an action of an object: there is one at a time. */
export const keyOf = ({action, object}: Pick<SeenAction, 'action' | 'object'>): string =>
	`${action} ${object.uid}`;
