import {
	type ClusterEvent,
	cloudEventSource,
	evictionEventSource,
	nodeEventSource,
} from '../../../core/model/clusterEvent.ts';
import type {SeenEvent} from '../../observe/eventEvidence.ts';
import {intersect} from '../../observe/interval.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {turnedUnknownIn} from '../../observe/passes/passObservations.ts';
import {isoTime} from '../../words.ts';
import {type Fact, fact} from '../explanation.ts';
import type {Situation} from '../situation.ts';

export function eventFact({namespace, name, reason, about, last}: ClusterEvent): Fact {
	const when = `at ${isoTime(last.at)}${last.precision > 0 ? ', truncated to seconds' : ''}`;
	const eventOf = (source: string, value: string) =>
		fact(`event/${namespace}/${name}`, 'reason, message', value, `recorded by the ${source} ${when}`);
	switch (reason) {
		case 'MarkingForDeletion':
			return eventOf(evictionEventSource, `TaintManagerEviction: Marking for deletion Pod ${about}`);
		case 'CancellingDeletion':
			return eventOf(evictionEventSource, `TaintManagerEviction: Cancelling deletion of Pod ${about}`);
		case 'DeletingNode':
			return eventOf(cloudEventSource, `${reason}: Node ${about}`);
		default:
			return eventOf(nodeEventSource, `${reason}: Node ${about}`);
	}
}

/** The event that reported that a node turned Unknown, if known. */
export function transitionFacts(
	{node, readyChangedAt}: NodeEvidence,
	{evidence, settings}: Situation,
): readonly Fact[] {
	const isOfIt = (seen: SeenEvent) =>
		readyChangedAt && intersect(turnedUnknownIn(seen, settings), readyChangedAt);
	return evidence.events
		.notReady(node.name)
		.filter(isOfIt)
		.slice(-1)
		.map(({event}) => eventFact(event));
}

/** The evidence that the taint-eviction controller is running. */
export function evictionFacts({evidence}: Situation): readonly Fact[] {
	const latest = evidence.events.latestEviction;
	if (!latest || latest.at.hi < evidence.controllersStarted.lo) return [];
	const announced = eventFact(latest.event);
	return [{...announced, note: `${announced.note}: it is at work`}];
}
