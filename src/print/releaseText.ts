import type {Instant} from '../core/time/instant.ts';
import type {Held} from '../forecast/podForecast.ts';
import {formatWhen} from './countdown.ts';

/** What releases a held pod, and when it is evicted then: `Evictions resume when ... Once they do, the pod is evicted in 10s-46s, ...`. */
export function releaseText({releasedBy, ifReleasedNow}: Held, now: Instant): string {
	const when = formatWhen(ifReleasedNow, now).replace(/^now$/, 'at once');
	return `Evictions resume when ${releasedBy}. Once they do, the pod is evicted ${when}, unless its own node has recovered.`;
}
