import type {Instant} from '../core/time/instant.ts';
import type {Held} from '../forecast/podForecast.ts';
import {formatCountdown} from './countdown.ts';

/** What releases a held pod, and when it is evicted then: `Evictions resume when ... 10s-46s after that, the pod is evicted, ...`. */
export function releaseText({releasedBy, ifReleasedNow}: Held, now: Instant): string {
	const after = formatCountdown(ifReleasedNow, now);
	const when = after === 'now' ? 'Then' : `${after} after that,`;
	return `Evictions resume when ${releasedBy}. ${when} the pod is evicted, unless its own node has recovered.`;
}
