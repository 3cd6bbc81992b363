import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {never} from '../../core/time/instant.ts';
import {nodesIn} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {NextTokens} from './nextTokens.ts';

type Nodes = readonly NodeEvidence[];

/** The nodes of each zone that wait for their NoExecute taint; each result is computed on demand. */
export class Queues {
	readonly #simulated: Simulated;
	readonly #tokens: NextTokens;
	#waiting: ReadonlyMap<string, Nodes> | undefined;
	readonly #heads = new Map<string, ReadonlySet<NodeEvidence>>();

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
		this.#tokens = new NextTokens(simulated);
	}

	/** The names of a zone's waiting nodes, in no meaningful order. */
	namesIn(zone: string): readonly string[] {
		return this.#waitingIn(zone).map(({node}) => node.name);
	}

	lengthOf(zone: string): number {
		return this.#waitingIn(zone).length;
	}

	/**
	 * The most tokens of a zone that are needed until all waiting nodes are tainted. A node that is tainted already takes one
	 * without effect if it was queued again, as all are when every zone goes down, or controllers start.
	 */
	tokensFor(zone: string): number {
		const {affected, runs} = this.#simulated;
		const isQueued = ({node}: NodeEvidence) => runs.some(({trajectory}) => trajectory.queued.has(node.name));
		return nodesIn(zone, affected).filter((one) => this.has(one) || isQueued(one)).length;
	}

	/**
	 * The probability that a waiting node gets its zone's next token.
	 *
	 * Each pass queues all waiting nodes again, in random order. Only a pass that throttling makes long shows its order: nodes
	 * are queued as they turn Unknown, and none is queued again until it is over.
	 */
	nextProbabilityOf(one: NodeEvidence): number {
		const heads = this.headsOf(zoneKey(one.node));
		return heads.has(one) ? 1 / heads.size : 0;
	}

	/** The waiting nodes of a zone that may get its next token. */
	headsOf(zone: string): ReadonlySet<NodeEvidence> {
		return kept(this.#heads, zone, () => new Set(this.#findHeads(zone)));
	}

	/** When a zone's bucket next holds a token, by all settings that are possible; null if the zone is stopped, or nothing was simulated. */
	nextTokenOf(zone: string): Range | null {
		return this.#tokens.of(zone, this.#waitingIn(zone));
	}

	/** Whether a node waits. Without taints it does once its timeout ends, which only the hidden states show. */
	has(one: NodeEvidence): boolean {
		const {settings, affected, runs} = this.#simulated;
		if (settings.taintBasedEvictions) return waitsForTaint(one);
		if (hasEvictionStarted(one, affected.evictionStarts, settings)) return false;
		return runs.some(({trajectory}) => trajectory.queued.has(one.node.name));
	}

	#waitingIn(zone: string): Nodes {
		const {affected} = this.#simulated;
		this.#waiting ??= Map.groupBy(
			affected.nodes.filter((one) => this.has(one)),
			({node}) => zoneKey(node),
		);
		return this.#waiting.get(zone) ?? [];
	}

	#findHeads(zone: string): Nodes {
		const {settings, throttled} = this.#simulated;
		const waiting = this.#waitingIn(zone);
		if (!settings.taintBasedEvictions) return this.#firstToCome(waiting);
		const order = settings.queuesInPassOfTransition ? throttled.order : undefined;
		// After this pass the order is random again.
		const token = this.nextTokenOf(zone)?.latest ?? never;
		if (!order || token > order.lastsUntil) return waiting;
		const young = waiting.filter((one) => order.marked.has(one));
		const first = minOf(young.map(({readyChangedAt}) => readyChangedAt?.hi ?? never));
		return waiting.filter((one) => !order.marked.has(one) || (one.readyChangedAt?.lo ?? first) <= first);
	}

	/** Without taints, nodes go in the order of the queue: the first are those before which no other was certainly queued. */
	#firstToCome(waiting: Nodes): Nodes {
		const {runs, settings} = this.#simulated;
		const dueOf = ({node}: NodeEvidence) =>
			runs.flatMap(({trajectory}) => trajectory.due.get(node.name) ?? []);
		const due = waiting.filter((one) => dueOf(one).length > 0);
		const first = minOf(due.map((one) => maxOf(dueOf(one))));
		return due.filter((one) => minOf(dueOf(one)) < first + settings.nodeMonitorPeriod);
	}
}
