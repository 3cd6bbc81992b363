import type {Duration, Instant} from '../time/instant.ts';

/** What is needed of an Event that a controller recorded. Events get lost: that there is none tells nothing. */
export type ClusterEvent = {
	readonly namespace: string;
	readonly name: string;
	/** Two of them stand for the messages of `TaintManagerEviction`. */
	readonly reason:
		| 'RegisteredNode'
		| 'NodeNotReady'
		| 'DeletingAllPods'
		| 'NodeControllerEviction'
		| 'MarkingForDeletion'
		| 'CancellingDeletion';
	/** A node's name or a pod's key. */
	readonly about: string;
	/** When it was recorded for the first time, by the clock of the controllers' machine. */
	readonly first: EventTime;
	/** When it was recorded for the last time: one that comes again only raises a count. */
	readonly last: EventTime;
	/** When the API server took it the first time, by its own clock, in whole seconds. */
	readonly createdAt: Instant;
};

/** Whether an event's reason is one of those about nodes. */
export const isAboutNodes = (
	reason: string,
): reason is 'RegisteredNode' | 'NodeNotReady' | 'DeletingAllPods' =>
	reason === 'RegisteredNode' || reason === 'NodeNotReady' || reason === 'DeletingAllPods';

/** A time that was cut off to so many milliseconds. */
export type EventTime = {readonly at: Instant; readonly precision: Duration};

/** The namespace of events about objects that have none themselves, such as nodes. */
export const clusterEventNamespace = 'default';
/** Who records events about nodes: the node lifecycle controller. */
export const nodeEventSource = 'node-controller';
export const evictionEventSource = 'taint-eviction-controller';
/** Who recorded them until 1.28, when it was no controller of its own. */
export const oldEvictionEventSource = 'taint-controller';
