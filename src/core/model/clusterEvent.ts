import {type Duration, type Instant, minute} from '../time/instant.ts';
import type {ObjectName} from './objectName.ts';

/** The fields needed of an Event that a controller recorded. Events get lost, so a missing one proves nothing. */
export type ClusterEvent = ObjectName &
	Readonly<{
		/** Marking and cancelling stand for the two messages of `TaintManagerEviction`; the last is by the pod's owner. */
		reason:
			| 'RegisteredNode'
			| 'NodeNotReady'
			| 'DeletingAllPods'
			| 'DeletingNode'
			| 'NodeControllerEviction'
			| 'MarkingForDeletion'
			| 'CancellingDeletion'
			| 'SuccessfulDelete';
		/** A node's name or a pod's key. */
		about: string;
		/** When it was first recorded, by the clock of the controllers' machine. */
		first: EventTime;
		/** When it was last recorded: a repeated event only raises a count. */
		last: EventTime;
		/** When the API server first stored it, by its own clock, in whole seconds. */
		createdAt: Instant;
	}>;

/** Whether an event's reason is one of those about nodes. */
export const isAboutNodes = (
	reason: string,
): reason is 'RegisteredNode' | 'NodeNotReady' | 'DeletingAllPods' | 'DeletingNode' =>
	['RegisteredNode', 'NodeNotReady', 'DeletingAllPods', 'DeletingNode'].includes(reason);

/** A time that was truncated to `precision` milliseconds. */
export type EventTime = {readonly at: Instant; readonly precision: Duration};

/** The namespace of events about objects without a namespace, such as nodes. */
export const clusterEventNamespace = 'default';
/** The source of events about nodes: the node lifecycle controller. */
export const nodeEventSource = 'node-controller';
/** The source of `DeletingNode`: a cloud's controller deletes the Nodes of machines that do not exist. */
export const cloudEventSource = 'cloud-node-lifecycle-controller';
/** The longest time from `DeletingNode` to the deletion of the Node; later it has failed, or finalizers hold the Node. */
export const mostBeforeDeletion: Duration = minute;
export const evictionEventSource = 'taint-eviction-controller';
/** The source until 1.28, when taint eviction was part of the node lifecycle controller. */
export const oldEvictionEventSource = 'taint-controller';
