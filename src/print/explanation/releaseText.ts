import type {Instant} from '../../core/time/instant.ts';
import type {Held} from '../../forecast/podForecast.ts';
import {formatWhen} from '../countdown.ts';

/** When a held pod is released, and when it is evicted then: `Evictions resume when ... If they resumed now, the pod would be evicted in 10s-46s, ...`. */
export function releaseText({releasedBy, ifReleasedNow}: Held, now: Instant): string {
	const when = formatWhen(ifReleasedNow, now).replace(/^now$/, 'at once');
	return `Evictions resume when ${releasedBy}. If they resumed now, the pod would be evicted ${when}, unless its own node recovers.`;
}
