import type {Duration, Instant} from '../time/instant.ts';

/** How a simulated kubelet renews its lease and posts its status. */
export type Heartbeat = Readonly<{
	/** When it first renews its lease after its start; then it renews at every interval. */
	firstRenewalAt: Instant;
	renewInterval: Duration;
	/** It posts its status with the first renewal that is at least this long after the last post. */
	statusInterval: Duration;
	hasLease: boolean;
	/** How far its clock is ahead of the control plane's. */
	clockOffset?: Duration;
}>;

type Kubelet = Heartbeat & {
	/** Distinguishes this run of the kubelet from earlier ones. */
	readonly run: number;
	readonly lastStatusAt: Instant;
};

/** Instants closer than this are equal, apart from rounding. */
const tick: Duration = 1e-6;

/** The running kubelets. A renewal is computed when its lease is read: thousands run for hours at no cost. */
export class Kubelets {
	#nextRun = 0;
	#alive = new Map<string, Kubelet>();

	/** Starts a kubelet; returns when it first posts its status. */
	start(node: string, heartbeat: Heartbeat, now: Instant): {run: number; postAt: Instant} {
		const kubelet: Kubelet = {...heartbeat, run: this.#nextRun++, lastStatusAt: now};
		this.#alive.set(node, kubelet);
		return {run: kubelet.run, postAt: nextStatusAt(kubelet)};
	}

	stop(node: string) {
		this.#alive.delete(node);
	}

	isAlive(node: string) {
		return this.#alive.has(node);
	}

	/** Records a kubelet's status post; returns when the next one is due, or undefined if that run has ended. */
	posted(node: string, run: number, now: Instant): Instant | undefined {
		const kubelet = this.#alive.get(node);
		if (kubelet?.run !== run) return undefined;
		const posted = {...kubelet, lastStatusAt: now};
		this.#alive.set(node, posted);
		return nextStatusAt(posted);
	}

	/** When a running kubelet last renewed its lease, by its own clock; undefined if it has not yet or is not running. */
	renewTime(node: string, now: Instant): Instant | undefined {
		const kubelet = this.#alive.get(node);
		if (!kubelet?.hasLease || now + tick < kubelet.firstRenewalAt) return undefined;
		const renewals = Math.floor((now + tick - kubelet.firstRenewalAt) / kubelet.renewInterval);
		return kubelet.firstRenewalAt + renewals * kubelet.renewInterval + (kubelet.clockOffset ?? 0);
	}

	/** Whether a kubelet has begun to renew its lease at least this often. */
	renewsEvery(node: string, interval: Duration, now: Instant): boolean {
		const kubelet = this.#alive.get(node);
		return kubelet?.hasLease === true && kubelet.firstRenewalAt <= now && kubelet.renewInterval <= interval;
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
