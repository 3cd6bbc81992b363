import type {Lease} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Interval} from './interval.ts';

/** A node, and what is known of when its signs of life reached the API server. */
export type NodeEvidence = {
	readonly node: Node;
	/** The kubelet's last renewal, by its own clock. */
	readonly renewTime: Instant | undefined;
	/** When the API server took it. */
	readonly renewedAt: Interval | undefined;
	/** When the Ready condition's heartbeat reached the API server. */
	readonly postedAt: Interval | undefined;
	/** When the Ready condition last changed its status. */
	readonly readyChangedAt: Interval | undefined;
	/** Whether Ready was True before that; undefined where it never changed, or cannot be told. */
	readonly wasReady: boolean | undefined;
	/** When the controller's own NoExecute taint was added; undefined where it has none. */
	readonly taintedAt: Interval | undefined;
};

/** How far a kubelet's clock is trusted where nothing else tells when its renewal arrived. */
const trustedClock: Duration = second / 10;

/** When the API server took a renewal, from one look at the lease: its own clock's word first, then the kubelet's. */
export function renewedAtFirstLook({renewTime, writes}: Lease): Interval | undefined {
	const latest = writes?.toSorted((a, b) => b.time - a.time)[0];
	if (latest) return {lo: latest.time, hi: latest.time + second};
	return renewTime === undefined ? undefined : {lo: renewTime, hi: renewTime + trustedClock};
}
