import {kindAndName} from '../core/model/workloads/workload.ts';
import type {Instant} from '../core/time/instant.ts';
import {inTimeZone} from '../dates/format.ts';
import {type TimeZone, utc} from '../dates/timeZone.ts';
import {lastOf, pendingOf} from '../forecast/pending.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {WorkloadImpact} from '../impact/workloadImpact.ts';
import {formatWhen, formatWhenAt} from './countdown.ts';
import {podsText} from './status/causes.ts';
import {readyWords} from './workloads.ts';
import {wrap} from './wrap.ts';

/**
 * One sentence about a workload, before its pods are explained: `deployment/web in namespace shop: 2 will be evicted; next in
 * 10s-12s (14:00:10Z/14:00:12Z), last in 20s-22s; 2/4 pods ready, 1 at the lowest.`
 *
 * @param pods the affected pods of the workload
 */
export function workloadSummary(
	impact: WorkloadImpact,
	pods: readonly PodForecast[],
	now: Instant,
	zone: TimeZone = utc,
): string {
	const {namespace, lowest} = impact;
	const pending = pendingOf(pods);
	const [first, last] = [pending[0]?.eviction, lastOf(pending)];
	const when = first ? `; next ${formatWhenAt(first, now)}` : '';
	const end = pending.length > 1 && last ? `, last ${formatWhen(last, now)}` : '';
	const fewest = lowest.at === null || lowest.ready === null ? '' : `, ${lowest.ready} at the lowest`;
	const ready = impact.readyNow === null ? '' : `; ${readyWords(impact)} pods ready${fewest}`;
	const text = `${kindAndName(impact)} in namespace ${namespace}: ${podsText({pods, nodes: [], problems: []})}${when}${end}${ready}`;
	return wrap(`${inTimeZone(text, now, zone)}.`, '');
}
