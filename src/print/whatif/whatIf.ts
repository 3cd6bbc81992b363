import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone, timeAlone} from '../../dates/format.ts';
import {type TimeZone, timeZoneWords, utc} from '../../dates/timeZone.ts';
import type {ZoneStory} from '../../forecast/conclude/zoneStory.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {PodChange, WhatIf, ZoneChange} from '../../forecast/whatif/whatIf.ts';
import type {EndpointImpact} from '../../impact/endpoints.ts';
import type {WhatIfImpact, WorkloadChange} from '../../impact/whatIfImpact.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {escapeForCell} from '../../text/escape.ts';
import {formatCountdown, formatDuration, formatWhen} from '../countdown.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {changeLine} from './changeWords.ts';
import {endingChanges, endingHeaders} from './endingChanges.ts';
import {formatOutOfService} from './outOfService.ts';

/** Formats a what-if, with before and after side by side. */
export function formatWhatIf(whatIf: WhatIf, impact: WhatIfImpact, zone: TimeZone = utc): string {
	const {at: now, changes, zones} = whatIf;
	const count = (effect: PodChange['effect']) => impact.pods.filter((pod) => pod.effect === effect).length;
	const changed = impact.pods.filter(({effect}) => effect !== 'unchanged');
	const counts =
		`Evictions: ${count('added')} added, ${count('avoided')} avoided, ${count('moved')} moved, ` +
		`${count('unchanged')} pods as before.`;
	return [
		`Seen at ${timeAlone(now, now, zone)}; all times are ${timeZoneWords(now, zone)}. Supposed:\n` +
			changes.map((change) => `  ${changeLine(change, now, zone)}\n`).join(''),
		`${counts}\n`,
		table(
			podHeaders,
			changed.toSorted(compareChanges).map((pod) => podRow(pod, now, zone)),
		),
		table(endingHeaders, endingChanges(impact.pods, now)),
		...impact.outOfService.map(formatOutOfService),
		table(
			zoneHeaders,
			zones.map((zone) => zoneRow(zone, now)),
		),
		table(
			workloadHeaders,
			impact.workloads.filter(isChanged).map((one) => workloadRow(one, now)),
		),
	]
		.filter((text) => text !== '')
		.join('\n');
}

const podHeaders = ['NAMESPACE', 'NAME', 'NODE', 'CHANGE', 'BEFORE', 'AFTER', 'THEN', 'BECAUSE'];
const zoneHeaders = ['ZONE', 'BEFORE', 'AFTER'];
const workloadHeaders = [
	'NAMESPACE',
	'WORKLOAD',
	'READY',
	'LOWEST BEFORE',
	'LOWEST AFTER',
	'ENDPOINTS',
	'BUDGET',
];

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
	return rows.length === 0
		? ''
		: new TabWriter().write([headers, ...rows.map((row) => row.map(escapeForCell))]);
}

const order: readonly PodChange['effect'][] = ['added', 'avoided', 'moved', 'unchanged'];

function compareChanges(a: PodChange, b: PodChange): number {
	const at = ({before, after}: PodChange) => (after.eviction ?? before.eviction)?.earliest ?? 0;
	return (
		order.indexOf(a.effect) - order.indexOf(b.effect) ||
		at(a) - at(b) ||
		(a.after.name < b.after.name ? -1 : 1)
	);
}

function podRow({before, after, effect, shift}: PodChange, now: Instant, zone: TimeZone): readonly string[] {
	const {namespace, name, node} = after;
	const by = shift === null ? '' : ` ${shift < 0 ? '-' : '+'}${formatDuration(Math.abs(shift))}`;
	const then = after.after?.outcome ?? '-';
	return [
		namespace,
		name,
		node,
		effect + by,
		outlook(before, now),
		outlook(after, now),
		then,
		inTimeZone(after.because[0] ?? '', now, zone),
	];
}

/** `4m10s-5m2s`, `Held`, `Safe`. */
const outlook = ({verdict, eviction}: PodForecast, now: Instant): string =>
	eviction === null ? verdict : `${verdict === 'Unsure' ? 'perhaps ' : ''}${formatCountdown(eviction, now)}`;

const zoneRow = ({zone, before, after}: ZoneChange, now: Instant): readonly string[] => [
	zone,
	storyWords(before, now),
	storyWords(after, now),
];

/** `Normal, PartialDisruption (stopped) in 1m5s-1m10s`. */
function storyWords({steps, isSure}: ZoneStory, now: Instant): string {
	const words = steps.map(({state, rate, at}, index) => {
		const when = at.earliest <= now ? '' : ` ${formatWhen(at, now)}`;
		const hasOnlyRate = state === steps[index - 1]?.state;
		const pace = rate === 0 ? ' (stopped)' : hasOnlyRate ? ` (${Number(rate.toPrecision(3))}/s)` : '';
		return `${state}${pace}${when}`;
	});
	return `${words.join(', ') || '-'}${isSure ? '' : ', most likely'}`;
}

function isChanged({before, after}: WorkloadChange): boolean {
	const text = (impact: WorkloadImpact | undefined) =>
		JSON.stringify([impact?.lowest, impact?.losses.length]);
	return text(before) !== text(after);
}

function workloadRow({before, after}: WorkloadChange, now: Instant): readonly string[] {
	const one = after ?? before;
	if (!one) return [];
	const {namespace, kind, name, readyNow, desired} = one;
	const forbidden = one.budgets.filter(({forbids}) => forbids > 0);
	return [
		namespace,
		`${kind}/${name}`,
		`${readyNow ?? '?'}/${desired ?? '?'}`,
		lowestWords(before, readyNow, now),
		lowestWords(after, readyNow, now),
		one.endpoints.map((endpoint) => endpointWords(endpoint, now)).join(', ') || '-',
		forbidden.map(({name: budget, forbids}) => `${budget} would forbid ${forbids}`).join(', ') || '-',
	];
}

/** `web: 3, 1 in 40s-50s, 1 lost already`. */
function endpointWords({service, readyNow, alreadyLost, lowest}: EndpointImpact, now: Instant): string {
	const then = lowest.at === null ? '' : `, ${lowest.ready} ${formatWhen(lowest.at, now)}`;
	const lost = alreadyLost === 0 ? '' : `, ${alreadyLost} lost already`;
	return `${service}: ${readyNow}${then}${lost}`;
}

function lowestWords(impact: WorkloadImpact | undefined, readyNow: number | null, now: Instant): string {
	const {ready, at} = impact?.lowest ?? {ready: readyNow, at: null};
	const count = ready ?? '?';
	return at === null ? String(count) : `${count} ${formatWhen(at, now)}`;
}
