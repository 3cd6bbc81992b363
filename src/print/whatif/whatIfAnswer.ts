import type {Instant} from '../../core/time/instant.ts';
import type {ZoneStory} from '../../forecast/conclude/zoneStory.ts';
import type {Range} from '../../forecast/range.ts';
import type {PodChange, ZoneChange} from '../../forecast/whatif/whatIf.ts';
import type {WhatIfImpact, WorkloadChange} from '../../impact/whatIfImpact.ts';
import {formatWhen} from '../countdown.ts';

/** The answer first: which further pods are evicted and when, which workloads reach zero, and what zones change to. */
export const answerText = (
	{pods, workloads}: Pick<WhatIfImpact, 'pods' | 'workloads'>,
	zones: readonly ZoneChange[],
	now: Instant,
): string => `${podsText(pods, now)}\n${zeroText(workloads, now)}\n${zonesText(zones, now)}\n`;

// Pods that stay either way are none to count: nothing was to happen to them.
function podsText(pods: readonly PodChange[], now: Instant): string {
	const of = (effect: PodChange['effect']) => pods.filter((pod) => pod.effect === effect);
	const added = of('added');
	const isUnsure = ({after}: PodChange) => after.verdict === 'Unsure';
	const [sure, unsure] = [added.filter((pod) => !isUnsure(pod)), added.filter(isUnsure)];
	const held = pods.filter(({after}) => after.verdict === 'Held');
	const newlyHeld = held.filter(becomesHeld).length;
	const same = of('unchanged').filter(({after}) => after.eviction !== null).length;
	const parts = [
		...(sure.length > 0 ? [`${podCount(sure.length)} will be evicted${whenOf(sure, now)}`] : []),
		...(unsure.length > 0 ? [`${podCount(unsure.length)} might be evicted${whenOf(unsure, now)}`] : []),
		...(added.length === 0 ? ['No further pod is evicted'] : []),
		...(newlyHeld > 0 ? [`${newlyHeld} more held (evictions stop)`] : []),
		...counted(of('avoided').length, 'no longer evicted'),
		...counted(of('moved').length, 'evicted at another time'),
		...counted(same, 'evicted as before'),
		...counted(held.length - newlyHeld, 'still held'),
	];
	return `${parts.join('; ')}.`;
}

/** A pod whose node would be lost while evictions are stopped: none goes, so its effect is `unchanged`, and yet it matters. */
export const becomesHeld = ({before, after}: PodChange): boolean =>
	after.verdict === 'Held' && before.verdict !== 'Held';

const podCount = (count: number): string => `${count} more ${count === 1 ? 'pod' : 'pods'}`;

const counted = (count: number, what: string): readonly string[] => (count > 0 ? [`${count} ${what}`] : []);

/** `, the first in 41s-48s, the last in 5m41s-5m48s`. */
function whenOf(added: readonly PodChange[], now: Instant): string {
	const evictions = added
		.flatMap(({after}) => after.eviction ?? [])
		.toSorted((a: Range, b: Range) => a.expected - b.expected);
	const [first] = evictions;
	const last = evictions.at(-1);
	if (!first || !last) return '';
	const end = evictions.length === 1 ? '' : `, the last ${formatWhen(last, now)}`;
	return evictions.length === 1
		? ` ${formatWhen(first, now)}`
		: `, the first ${formatWhen(first, now)}${end}`;
}

const mostNamed = 5;

/** Which workloads are left without a ready pod by the changes, and which would be without them. */
function zeroText(workloads: readonly WorkloadChange[], now: Instant): string {
	const zero = workloads.flatMap(({before, after}) => (after?.reachesZero ? [{before, after}] : []));
	const names = (ones: typeof zero) => {
		const shown = ones.slice(0, mostNamed).map(({after: {namespace, kind, name, lowest}}) => {
			const when = lowest.at === null ? 'already' : formatWhen(lowest.at, now);
			return `${namespace}/${kind.toLowerCase()}/${name} (${when})`;
		});
		const more = ones.length - shown.length;
		return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
	};
	const either = zero.filter(({before}) => before?.reachesZero);
	const own = zero.filter(({before}) => !before?.reachesZero);
	if (zero.length === 0) return 'No workload reaches zero ready pods.';
	const also = either.length > 0 ? `; also without this change: ${names(either)}` : '';
	return own.length > 0
		? `Reach zero ready pods because of this: ${names(own)}${also}.`
		: `No further workload reaches zero ready pods${also}.`;
}

function zonesText(zones: readonly ZoneChange[], now: Instant): string {
	const changed = zones.filter(({before, after}) => storyWords(before, now) !== storyWords(after, now));
	return changed.length === 0
		? 'No zone changes its state.'
		: `Zones that change: ${changed.map(({zone, after}) => `${zone} (${storyWords(after, now)})`).join('; ')}.`;
}

/** `Normal, PartialDisruption (stopped) in 1m5s-1m10s`. */
export function storyWords({steps, isSure}: ZoneStory, now: Instant): string {
	const words = steps.map(({state, rate, at}, index) => {
		const when = at.earliest <= now ? '' : ` ${formatWhen(at, now)}`;
		const hasOnlyRate = state === steps[index - 1]?.state;
		const pace = rate === 0 ? ' (stopped)' : hasOnlyRate ? ` (${Number(rate.toPrecision(3))}/s)` : '';
		return `${state}${pace}${when}`;
	});
	return `${words.join(', ') || '-'}${isSure ? '' : ', most likely'}`;
}
