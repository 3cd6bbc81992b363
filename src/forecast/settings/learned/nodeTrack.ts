import {type Node, nodeCondition} from '../../../core/model/node.ts';
import type {Duration, Instant} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import {waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';

/** Keeps what was seen of one node. */
export class NodeTrack {
	node: Node;
	/** When the API server took its last sign of life; undefined where none was seen yet. */
	lastSign: Interval | undefined;
	/** When its last status arrived. */
	lastPost: Instant | undefined;
	/** When it became ready; undefined while it is not, or where that was not seen. */
	readyAt: Interval | undefined;
	/** Since when it has been waiting for its taint, at the latest; undefined while it is ready, or has it. */
	waitingSince: Instant | undefined;
	/** The shortest delay of a renewal after its own time. */
	#leastDelay = Number.POSITIVE_INFINITY;
	#renewTime: Instant | undefined;

	constructor(node: Node, seenAt: Instant) {
		this.node = node;
		if (waitsForTaint(this)) this.waitingSince = seenAt;
	}

	/** Its kubelet renewed the lease, at `renewTime` by its own clock. */
	renewed(renewTime: Instant, arrivedAt: Instant, delivery: Duration): void {
		if (renewTime === this.#renewTime) return;
		const isFirst = this.#renewTime === undefined;
		this.#renewTime = renewTime;
		const delay = arrivedAt - renewTime;
		this.#leastDelay = Math.min(this.#leastDelay, delay);
		// The first one was not seen coming: it may be old.
		if (isFirst) return;
		this.lastSign = {lo: renewTime + this.#leastDelay - delivery, hi: arrivedAt};
	}

	/** The node was written. */
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
