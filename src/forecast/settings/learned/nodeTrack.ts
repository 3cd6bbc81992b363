import {type Node, nodeCondition} from '../../../core/model/node.ts';
import type {Duration, Instant} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import {waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';

export class NodeTrack {
	node: Node;
	/** When the API server received its last sign of life; undefined if none was seen yet. */
	lastSign: Interval | undefined;
	/** When its last status arrived. */
	lastPost: Instant | undefined;
	/** When it became ready; undefined while it is not, or if that was not seen. */
	readyAt: Interval | undefined;
	/** The latest possible start of its wait for its taint; undefined while it is ready, or has the taint. */
	waitingSince: Instant | undefined;
	/** The shortest delay of a renewal after its own time. */
	#leastDelay = Number.POSITIVE_INFINITY;
	#renewTime: Instant | undefined;

	constructor(node: Node, seenAt: Instant) {
		this.node = node;
		if (waitsForTaint(this)) this.waitingSince = seenAt;
	}

	/** Takes in that its kubelet renewed the lease, at `renewTime` by its own clock. */
	renewed(renewTime: Instant, arrivedAt: Instant, delivery: Duration): void {
		if (renewTime === this.#renewTime) return;
		const isFirst = this.#renewTime === undefined;
		this.#renewTime = renewTime;
		const delay = arrivedAt - renewTime;
		this.#leastDelay = Math.min(this.#leastDelay, delay);
		// The first one was not seen live: it may be old.
		if (isFirst) return;
		this.lastSign = {lo: renewTime + this.#leastDelay - delivery, hi: arrivedAt};
	}

	applied(node: Node, arrivedAt: Instant, delivery: Duration): void {
		const [before, after] = [nodeCondition(this.node, 'Ready'), nodeCondition(node, 'Ready')];
		const seen = {lo: arrivedAt - delivery, hi: arrivedAt};
		if (after && before && after.lastHeartbeatTime !== before.lastHeartbeatTime) {
			this.lastPost = arrivedAt;
			this.lastSign = seen;
		}
		const isReady = after?.status === 'True';
		if (isReady !== (before?.status === 'True')) {
			this.readyAt = isReady ? seen : undefined;
		}
		const isWaiting = waitsForTaint({node});
		if (isWaiting !== waitsForTaint(this)) this.waitingSince = isWaiting ? arrivedAt : undefined;
		this.node = node;
	}
}
