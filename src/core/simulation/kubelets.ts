import type {Duration, Instant} from '../time/instant.ts';

/** How a simulated kubelet shows that it lives. */
export type Heartbeat = {
	/** When it first renews its lease after its start; from there at every interval. */
	readonly firstRenewalAt: Instant;
	readonly renewInterval: Duration;
	/** At a renewal so long or longer after the last post it posts status. */
	readonly statusInterval: Duration;
	/** Whether it keeps a lease at all. */
	readonly hasLease: boolean;
	/** How far its clock is ahead of the control plane's. */
	readonly clockOffset?: Duration;
};

type Kubelet = Heartbeat & {
	/** Tells this run of the kubelet from those before. */
	readonly run: number;
	readonly lastStatusAt: Instant;
};

/** Instants are sums of fractions; less than this apart they are the same. */
const tick: Duration = 1e-6;

/**
 * The kubelets that are alive. Their renewals are not events: a lease is worked out when somebody looks at it, which
 * is what lets thousands of them run for hours in no time.
 */
export class Kubelets {
	#nextRun = 0;
	#alive = new Map<string, Kubelet>();

	/** Starts a kubelet; answers when it is to post status for the first time. */
	start(node: string, heartbeat: Heartbeat, now: Instant): {run: number; postAt: Instant} {
		const kubelet: Kubelet = {...heartbeat, run: this.#nextRun++, lastStatusAt: now};
		this.#alive.set(node, kubelet);
		return {run: kubelet.run, postAt: nextStatusAt(kubelet)};
	}

	stop(node: string): void {
		this.#alive.delete(node);
	}

	isAlive(node: string): boolean {
		return this.#alive.has(node);
	}

	/** The kubelet posts status; answers when it does so next, or undefined where that run of it has ended. */
	posted(node: string, run: number, now: Instant): Instant | undefined {
		const kubelet = this.#alive.get(node);
		if (kubelet?.run !== run) return undefined;
		const posted = {...kubelet, lastStatusAt: now};
		this.#alive.set(node, posted);
		return nextStatusAt(posted);
	}

	/** When a living kubelet last renewed its lease, by its own clock; undefined where it has not yet, or is not alive. */
	lastRenewal(node: string, now: Instant): Instant | undefined {
		const kubelet = this.#alive.get(node);
		if (!kubelet?.hasLease || now + tick < kubelet.firstRenewalAt) return undefined;
		const renewals = Math.floor((now + tick - kubelet.firstRenewalAt) / kubelet.renewInterval);
		return kubelet.firstRenewalAt + renewals * kubelet.renewInterval + (kubelet.clockOffset ?? 0);
	}

	fork(): Kubelets {
		const copy = new Kubelets();
		copy.#nextRun = this.#nextRun;
		copy.#alive = new Map(this.#alive);
		return copy;
	}
}

function nextStatusAt({firstRenewalAt, renewInterval, lastStatusAt, statusInterval}: Kubelet): Instant {
	const renewals = Math.ceil((lastStatusAt + statusInterval - tick - firstRenewalAt) / renewInterval);
	return firstRenewalAt + Math.max(0, renewals) * renewInterval;
}
