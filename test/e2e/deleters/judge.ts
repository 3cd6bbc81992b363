import type {PodForecast} from '../contract.ts';
import {type Check, isInside} from '../judge.ts';
import type {End, JsonActor} from './truth.ts';

/** An end that `events` printed. */
export type SeenEnd = {
	readonly pod: string;
	readonly at: number;
	readonly actor: JsonActor | undefined;
	readonly isInside: boolean | null;
};

/** All of an outage: what happened, and what was printed. Instants are milliseconds since the epoch. */
export type MixedEvidence = {
	readonly ends: readonly End[];
	readonly seen: readonly SeenEnd[];
	/** All that `pods --all -w` printed, in its order. */
	readonly shown: readonly PodForecast[];
	/** From when on the API shows that a node's pods are ended. */
	readonly announced: ReadonlyMap<string, number>;
	/** When something changed that other nodes' forecasts depend on, by the nodes. */
	readonly disturbed: readonly {readonly at: number; readonly node: string}[];
	/** When a person tainted nodes: some pods tolerate that for a while. */
	readonly taintedAt: ReadonlyMap<string, number>;
	/** When nodes fell silent that nobody else touches. */
	readonly died: ReadonlyMap<string, number>;
	readonly endedAt: number;
};

/** Until a change is shown; on a busy machine forecasts are made more seldom. */
const delay = 6000;
/** How much later an end may be printed than it came. */
const printing = 2500;
/** By then a node has missed two renewals. */
const silence = 25_000;
const calm: readonly string[] = ['Safe', 'Stays', 'Held'];
const promises: readonly string[] = ['Scheduled', 'Expected'];

export type Tally = {ends: number; others: number; named: number; known: number; predicted: number};

/** Judges each end by its actor and by what was shown of it, and those that did not come. */
export function judgeMixed(evidence: MixedEvidence): {
	readonly checks: readonly Check[];
	readonly tally: Tally;
} {
	const {ends, seen} = evidence;
	const tally: Tally = {ends: ends.length, others: 0, named: 0, known: 0, predicted: 0};
	const checks = ends.map((end): Check => {
		const {pod, actor} = end;
		const who = words(actor);
		const isOthers = !(actor?.kind === 'TaintEviction' && actor.by === undefined);
		if (isOthers) tally.others += 1;
		const events = seen.filter((one) => one.pod === pod);
		const [event] = events;
		const failures: string[] = [];
		if (!event || !actor)
			failures.push(event ? 'the suite does not know its actor' : 'events does not print it');
		else if (words(event.actor) !== who) failures.push(`events names ${words(event.actor)}`);
		else if (Math.abs(event.at - end.at) > printing)
			failures.push(`events prints it ${event.at - end.at} ms later`);
		else tally.named += 1;
		if (events.length > 1) failures.push(`events prints it ${events.length} times`);
		// What the program heard late, on a busy machine, it judges by then.
		const isInTime = event !== undefined && Math.abs(event.at - end.at) < 1000;
		if (isInTime && !event.isInside && event.isInside !== null)
			failures.push('it came outside of what was predicted, says events');
		const from = knownFrom(end, evidence);
		if (from !== undefined && from < end.at - 1000) {
			tally.known += 1;
			const wrong = wrongBetween(from, end, evidence.shown);
			if (wrong.length === 0) tally.predicted += 1;
			failures.push(...wrong);
		}
		return {name: `${pod} ended by ${who}`, failures};
	});
	const share = {
		name: 'others end a third of the pods',
		failures: tally.others * 3 < tally.ends ? [`${tally.others} of ${tally.ends}`] : [],
	};
	return {checks: [...checks, share, notEnded(evidence)], tally};
}

const words = (actor: JsonActor | undefined): string =>
	actor ? `${actor.kind}${actor.by === undefined ? '' : ` (${actor.by})`}` : 'nobody known';

/** From when on its end can be known: that of a countdown once its node is tainted, or silent and nothing else changes in its zone. */
function knownFrom(
	{actor, node, at}: End,
	{announced, taintedAt, died, disturbed}: MixedEvidence,
): number | undefined {
	const said = announced.get(node);
	// Whoever acts besides what is announced announces nothing.
	const isBesides =
		actor?.kind === 'Owner' ||
		actor?.kind === 'DeleteRequest' ||
		((actor?.kind === 'Scheduler' || actor?.kind === 'EvictionAPI') && actor.by === undefined);
	if (isBesides) return undefined;
	if (said !== undefined) return said + delay;
	if (actor?.kind !== 'TaintEviction') return undefined;
	if (actor.by !== undefined) return (taintedAt.get(node) ?? at) + delay;
	const silentAt = died.get(node);
	if (silentAt === undefined) return undefined;
	const changes = disturbed
		.filter((one) => one.at < at && one.node[0] === node[0])
		.map((one) => one.at + delay);
	return Math.max(silentAt + silence, ...changes);
}

/** What was shown of a pod from an instant on until a second before its end, and was not so. */
function wrongBetween(from: number, {pod, at}: End, shown: readonly PodForecast[]): readonly string[] {
	const own = shown.filter((one) => one.pod === pod && one.observedAt < at - 1000);
	const first = own.findLastIndex(({observedAt}) => observedAt <= from);
	const inForce = own.slice(Math.max(0, first));
	if (inForce.length === 0) return ['nothing was shown of it'];
	return inForce.flatMap(({verdict, eviction, observedAt}) => {
		const before = `${((at - observedAt) / 1000).toFixed(1)} s before`;
		if (calm.includes(verdict)) return [`${verdict}, ${before}`];
		if (verdict === 'Terminating' || verdict === 'Gone') return [];
		if (!eviction) return [`${verdict} without a range, ${before}`];
		if (isInside(at, eviction)) return [];
		const [earliest, latest] = [eviction.earliest, eviction.latest].map((time) =>
			time === null ? '' : ((time - at) / 1000).toFixed(1),
		);
		return [`${verdict} from ${earliest} s to ${latest} s of it, ${before}`];
	});
}

/** What was promised at last, and did not come. */
function notEnded({ends, shown, endedAt}: MixedEvidence): Check {
	const gone = new Set(ends.map(({pod}) => pod));
	const last = new Map(shown.map((one) => [one.pod, one]));
	const failures = [...last.values()].flatMap(({pod, verdict, eviction}) => {
		const isPast = eviction?.latest != null && eviction.latest + delay < endedAt;
		const isBroken = verdict === 'Overdue' || (promises.includes(verdict) && isPast);
		return isBroken && !gone.has(pod) ? [`${pod}: ${verdict}, and is still there`] : [];
	});
	return {name: 'what is promised comes', failures};
}
