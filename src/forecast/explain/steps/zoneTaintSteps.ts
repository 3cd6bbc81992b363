import {count, ordinal, whenWords} from '../../words.ts';
import type {ZoneForecast} from '../../zoneForecast.ts';
import {type Draft, fact} from '../explanation.ts';
import type {Situation} from '../situation.ts';

const mostListed = 8;

/** When the zone's next token comes, and which nodes may take it. */
export function tokenStep(zone: string, {nextTaint, queue}: ZoneForecast, situation: Situation): Draft {
	const heads = [...situation.queues.headsOf(zone)].map(({node}) => node.name);
	return {
		at: nextTaint,
		what: `the zone may taint one more node: ${tokenWords(queue.length, heads.length)}`,
		isAside: true,
		rule: 'the limit is a bucket of one token; a taint takes it, and so does a node that is ready again at its turn',
		evidence: () => [
			...queueFact('queue', queue, 'in no order'),
			...(heads.length < queue.length
				? queueFact('head of the queue', heads.toSorted(), 'queued first in the pass that still lasts')
				: []),
		],
	};
}

function tokenWords(waiting: number, heads: number): string {
	if (waiting === 0) return 'no node waits';
	if (waiting === 1) return 'one node waits';
	if (heads === waiting) {
		return `${waiting} nodes wait, and their order is random (1 in ${waiting} each)`;
	}
	const first = heads === 1 ? 'the one' : `one of the ${heads}`;
	return `${waiting} nodes wait, and ${first} that turned Unknown first is next`;
}

const queueFact = (field: string, names: readonly string[], note: string) =>
	names.length === 0 ? [] : [fact('controller', field, names.slice(0, 8).join(', '), note)];

/** When each of a zone's next taints is added; which node gets it is random. */
export function taintSteps({taints, queue}: ZoneForecast, {now}: Situation): readonly Draft[] {
	const listed = taints.slice(0, mostListed).map(
		(at, index): Draft => ({
			at,
			what:
				index < queue.length
					? `the ${ordinal(index + 1)} of ${count(queue.length, 'waiting node')} is tainted`
					: `the ${ordinal(index + 1)} taint of the zone goes to a node that turns Unknown by then`,
			...(index > 0 && {isAside: true as const}),
			rule:
				index === 0
					? 'these times do not depend on which node is tainted; a taint that may never come has no latest time'
					: null,
		}),
	);
	const last = taints.at(-1);
	if (!last || taints.length <= mostListed) return listed;
	const rest = taints.length - mostListed;
	const more: Draft = {
		what: `${rest} more ${rest === 1 ? 'taint follows' : 'taints follow'} in the next 15 minutes, the last ${whenWords(last, now)}`,
	};
	return [...listed, more];
}
