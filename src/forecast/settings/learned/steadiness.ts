import type {Lease} from '../../../core/model/lease.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../../core/time/instant.ts';

/** A leader renews every two seconds; a longer time means a pause of the controllers or of the watch. */
const longestRenewalPause: Duration = 6 * second;

/** Follows the leader lease: since when the same controllers have been at work without a pause. */
export class Steadiness {
	#holder: string | undefined;
	#acquireTime: Instant | undefined;
	#renewTime: Instant | undefined;
	#renewedAt: Instant = beginningOfTime;
	#since: Instant = never;

	observe({holderIdentity, acquireTime, renewTime}: Lease, arrivedAt: Instant): void {
		const isSame = holderIdentity === this.#holder && acquireTime === this.#acquireTime;
		const isOnTime = arrivedAt - this.#renewedAt <= longestRenewalPause;
		if (!isSame || !isOnTime) this.#since = arrivedAt;
		this.#holder = holderIdentity;
		this.#acquireTime = acquireTime;
		if (renewTime !== this.#renewTime) this.#renewedAt = arrivedAt;
		this.#renewTime = renewTime;
	}

	/** Since when the same controllers have been at work; infinite if they are not, or it is unknown. */
	sinceAt(now: Instant): Instant {
		return now - this.#renewedAt <= longestRenewalPause ? this.#since : never;
	}
}
