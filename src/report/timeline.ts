import {unique} from '../core/collections/unique.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {count} from '../forecast/words.ts';
import type {Outage, OutageEvent} from './outage.ts';
import {listed} from './words.ts';

/** An event this soon after a similar one is merged with it. */
const together: Duration = 2 * second;

/** The events, with similar ones merged into one line: in a large outage hundreds of nodes become Unknown at once. */
export function timelineOf({happenings}: Pick<Outage, 'happenings'>) {
	const groups: {first: OutageEvent; last: Instant; texts: string[]}[] = [];
	for (const happening of happenings) {
		// Events of nodes and pods may alternate, so this looks back further than the last group.
		const same = groups.findLast(
			({first, last}) => alike(first, happening) && happening.at - last <= together,
		);
		if (same) {
			same.texts.push(happening.text);
			same.last = happening.at;
		} else groups.push({first: happening, last: happening.at, texts: [happening.text]});
	}
	return groups.map(({first: {at, kind}, texts}) => ({
		at,
		kind,
		text: joined(kind, texts),
		count: texts.length,
	}));
}

/** Whether two events differ only in their subject. */
const alike = (a: OutageEvent, b: OutageEvent) => a.kind === b.kind && restOf(a) === restOf(b);

const restOf = ({kind, text}: OutageEvent) =>
	kind === 'pod' ? 'deleted' : kind === 'node' || kind === 'taint' ? text.slice(text.indexOf(' ')) : text;

function joined(kind: OutageEvent['kind'], texts: readonly string[]): string {
	const [first = ''] = texts;
	if (texts.length === 1) return first;
	const names = texts.map((text) => text.slice(0, text.indexOf(' ')));
	if (kind === 'pod') {
		const nodes = unique(texts.map((text) => text.slice(text.lastIndexOf(' ') + 1)));
		return `${count(texts.length, 'pod')} are deleted from ${listed(nodes)}: ${listed(names)}`;
	}
	if (kind !== 'node' && kind !== 'taint') return first;
	return `${listed(names)}${plural(first.slice(first.indexOf(' ')))}`;
}

const plural = (rest: string) => rest.replace(/^ is/, ' are').replace(/^ (turn|get|lose)s/, ' $1');
