import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import type {Range} from '../../forecast/range.ts';
import {
	becomesHeld,
	isSaved,
	newlyInDanger,
	type releasedBy,
	wasHeld,
} from '../../forecast/whatif/podsInDanger.ts';
import {jitter, type PodChange, type ZoneChange} from '../../forecast/whatif/whatIf.ts';
import {count, counted, linked, paceThen, perSecond, someOf} from '../../forecast/words.ts';
import type {ZoneStory} from '../../forecast/zoneForecast.ts';
import {isOnlyBelowBudget} from '../../impact/endpoints.ts';
import {
	maybeAtZero,
	newlyAtZero,
	newlyBelowBudget,
	type WhatIfImpact,
	type WorkloadChange,
} from '../../impact/whatIfImpact.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {AnswerPage} from '../answerPage.ts';
import {formatWhen} from '../countdown.ts';
import {briefReason} from '../tables/kind.ts';
import {belowBudgetNames, namesOf, zeroNames} from '../workloads.ts';

/**
 * The short answer: which more pods are evicted and when, which workloads reach zero, and whether zones still evict.
 *
 * @param isControlled whether a controller manager runs after the changes
 */
export const answerText = (
	{pods, workloads}: Pick<WhatIfImpact, 'pods' | 'workloads'>,
	zones: readonly ZoneChange[],
	page: AnswerPage,
	isControlled = true,
): string => {
	const {now} = page;
	return (
		page.labelled('Pods', podsText(pods, now)) +
		page.labelled('Reach zero', zeroText(workloads, now)) +
		page.labelled('Below budget', ...belowBudgetTexts(workloads, now)) +
		page.labelled('Zones', ...zonesLines(zones, now, isControlled))
	);
};

// Pods that stay with and without the changes are not counted: nothing was going to happen to them.
function podsText(pods: readonly PodChange[], now: Instant): string {
	const same = pods.filter(
		(pod) => (pod.effect === 'unchanged' && pod.after.eviction !== null) || isOnlyJitter(pod),
	);
	const unsure = same.filter(({after}) => after.verdict === 'Unsure').length;
	return linked(
		'; ',
		podChangesText(pods, now),
		counted(same.length - unsure, 'evicted as before'),
		counted(unsure, 'might be evicted as before'),
		stayHeldText(pods),
	);
}

/** `2 stay held`; empty if none do. */
export const stayHeldText = (pods: readonly PodChange[]) =>
	counted(pods.filter((pod) => pod.after.verdict === 'Held' && !becomesHeld(pod)).length, 'stay held');

/**
 * The changes for pods: `3 more pods will be evicted, the first in 41s`, `2 held pods of n1 will be evicted in 41s (evictions
 * resume)`, `1 will be held instead of evicted`.
 */
export function podChangesText(pods: readonly PodChange[], now: Instant): string {
	const of = (effect: PodChange['effect']) => pods.filter((pod) => pod.effect === effect);
	const {sure, unsure, held} = newlyInDanger(pods);
	const added = [...addedTexts(sure, 'will be evicted', now), ...addedTexts(unsure, 'might be evicted', now)];
	const saved = pods.filter(isSaved).length;
	const isPut = ({effect}: PodChange) => effect === 'avoided';
	const moved = grouped(
		of('moved').filter((pod) => !isOnlyJitter(pod)),
		movedWords,
	);
	return linked(
		'; ',
		...(added.length > 0 ? added : ['no additional pod will be evicted']),
		counted(held.filter((pod) => !isPut(pod)).length, 'more will be held'),
		counted(held.filter(isPut).length, 'will be held instead of evicted'),
		counted(of('avoided').filter((pod) => !becomesHeld(pod)).length, 'will not be evicted'),
		...moved.map(([words, {length}]) => counted(length, words)),
		saved === 0 ? '' : `${count(saved, 'held pod')} saved`,
	);
}

/** Texts about pods that are evicted because of the changes; those held until then are separate, with the cause and their nodes. */
function addedTexts(added: readonly PodChange[], what: string, now: Instant): readonly string[] {
	const [held, others] = [added.filter(wasHeld), added.filter((pod) => !wasHeld(pod))];
	const doubts = new Set(others.map(({after}) => (after.verdict === 'Unsure' ? briefReason(after) : '')));
	const [doubt = ''] = doubts;
	const why = doubts.size === 1 && doubt !== '' ? `: ${doubt}` : '';
	return [
		...(others.length > 0 ? [`${count(others.length, 'more pod')} ${what}${whenOf(others, now)}${why}`] : []),
		...heldTexts(held, what, now),
	];
}

function heldTexts(held: readonly PodChange[], what: string, now: Instant): readonly string[] {
	if (held.length === 0) return [];
	const nodes = unique(held.map(({after}) => after.node));
	const where = nodes.length > mostNamed ? `${nodes.length} nodes` : nodes.join(', ');
	return [`${count(held.length, 'held pod')} of ${where} ${what}${whenOf(held, now)} (evictions resume)`];
}

/** The held pods that are evicted: `3 held pods of b3 will be evicted, the first in 10s (evictions resume)`. */
export const releasedTexts = ({sure, unsure}: ReturnType<typeof releasedBy>, now: Instant) => [
	...heldTexts(sure, 'will be evicted', now),
	...heldTexts(unsure, 'might be evicted', now),
];

/** The part of a long range by which both sides may differ, as tables show its minutes. */
const jitterShare = 1 / 20;

/** Whether a pod counts as moved, but only its range differs, and by no more than jitter. */
export const isOnlyJitter = ({effect, before, after}: PodChange) =>
	effect === 'moved' &&
	before.verdict === after.verdict &&
	before.cause?.kind === after.cause?.kind &&
	before.eviction !== null &&
	after.eviction?.isNear(before.eviction, Math.max(jitter, widthOf(before.eviction) * jitterShare)) === true;

const widthOf = ({earliest, latest}: Range) => (latest ?? earliest) - earliest;

/** How much later (or, if negative, earlier) both ends of a pod's range are; null if they moved by different times, or one is open. */
export function shiftOf(pod: PodChange): Duration | null {
	const [earliest = 0, latest = 0] = shiftsOf(pod);
	const isBounded = [pod.before, pod.after].every(({eviction}) => eviction?.latest != null);
	return isBounded && Math.abs(earliest - latest) <= jitter ? pod.shift : null;
}

/** By how much the ends of a pod's range moved, the earliest first. */
function shiftsOf({before: {eviction: was}, after: {eviction: is}}: PodChange): readonly Duration[] {
	const shift = (a: Instant | null | undefined, b: Instant | null | undefined) =>
		a === b ? 0 : (b ?? never) - (a ?? never);
	return [shift(was?.earliest, is?.earliest), shift(was?.latest, is?.latest)];
}

/** Whether a pod is evicted as surely as before and at about the same time, but in another range. */
export const isSameTime = (pod: PodChange) =>
	pod.effect === 'moved' &&
	pod.before.verdict === pod.after.verdict &&
	Math.abs(shiftOf(pod) ?? never) < second;

/** How the range after the changes differs: `later` if no end of it is earlier, `wider` or `narrower` if one is earlier and the other later. */
export function movedWord(pod: PodChange): 'later' | 'earlier' | 'wider' | 'narrower' | 'moved' {
	const [earliest, latest] = shiftsOf(pod).map((shift) => (Math.abs(shift) < second ? 0 : Math.sign(shift)));
	if (earliest === undefined || latest === undefined || (earliest === 0 && latest === 0)) return 'moved';
	if (earliest >= 0 && latest >= 0) return 'later';
	if (earliest <= 0 && latest <= 0) return 'earlier';
	return latest > earliest ? 'wider' : 'narrower';
}

function movedWords(pod: PodChange): string {
	const [wasUnsure, isUnsure] = [pod.before, pod.after].map(({verdict}) => verdict === 'Unsure');
	if (wasUnsure && !isUnsure) return 'now sure to be evicted';
	if (isUnsure && !wasUnsure) return 'no longer sure to be evicted';
	const verb = isUnsure ? 'might be evicted' : 'evicted';
	const word = movedWord(pod);
	if (word === 'later' || word === 'earlier') return `${verb} ${word} than before`;
	return `${verb} in ${word === 'moved' ? 'another' : `a ${word}`} range than before`;
}

/** `, the first in 41s-48s, the last in 5m41s-5m48s`. */
function whenOf(added: readonly PodChange[], now: Instant): string {
	const evictions = added
		.flatMap(({after}) => after.eviction ?? [])
		.toSorted((a: Range, b: Range) => a.expected - b.expected);
	const [first] = evictions;
	const last = evictions.at(-1);
	if (!first || !last) return '';
	const [start, end] = [formatWhen(first, now), formatWhen(last, now)];
	return start === end ? ` ${start}` : `, the first ${start}, the last ${end}`;
}

/** The workloads that have no ready pod left because of the changes, and those that would have none anyway. */
function zeroText(workloads: readonly WorkloadChange[], now: Instant): string {
	const own = newlyAtZero(workloads);
	const either = workloads.flatMap(({before, after}) =>
		after?.reachesZero && before?.reachesZero ? after : [],
	);
	const changed = linked(
		'; ',
		own.length > 0 ? `because of this: ${zeroNames(own, now)}` : '',
		unknownText(workloads),
	);
	const saved = workloads.flatMap(({before, after}) =>
		before?.reachesZero && after?.reachesZero !== true && after?.reachesZero !== null ? before : [],
	);
	const isAtZero = ({lowest}: WorkloadImpact) => lowest.at === null;
	const [back, spared] = [saved.filter(isAtZero), saved.filter((one) => !isAtZero(one))];
	return linked(
		'; ',
		changed || (either.length > 0 ? 'no other workload' : 'no workload'),
		either.length > 0 ? `as before: ${zeroNames(either, now)}` : '',
		spared.length > 0 ? `no longer: ${zeroNames(spared, now)}` : '',
		back.length > 0 ? `ready again: ${namesOf(back)}` : '',
	);
}

/** The workloads that are or fall below their budget without reaching zero; none if none has a budget. */
function belowBudgetTexts(workloads: readonly WorkloadChange[], now: Instant): readonly string[] {
	const all = workloads.flatMap(({before, after}) => [before, after]);
	if (all.every((one) => (one?.budgets ?? []).length === 0)) return [];
	const own = newlyBelowBudget(workloads);
	const below = workloads.flatMap(({after}) => (after && isOnlyBelowBudget(after) ? after : []));
	const either = below.filter((one) => !own.includes(one));
	const text = linked(
		'; ',
		own.length > 0
			? `because of this: ${belowBudgetNames(own, now)}`
			: `no ${either.length > 0 ? 'other ' : ''}workload`,
		either.length > 0 ? `as before: ${belowBudgetNames(either, now)}` : '',
	);
	return [text];
}

/** The workloads left without a ready pod by the changes: `reach zero because of this: shop/pod/a (in 5s)`. */
export function zeroChangesText(workloads: readonly WorkloadChange[], now: Instant): string {
	const own = newlyAtZero(workloads);
	const unknown = unknownText(workloads);
	const text = linked(
		'; ',
		own.length > 0 ? `reach zero because of this: ${zeroNames(own, now)}` : '',
		unknown && `which reach zero: ${unknown}`,
	);
	return text || 'no other workload reaches zero';
}

function unknownText(workloads: readonly WorkloadChange[]): string {
	const unknown = maybeAtZero(workloads).length;
	return unknown > 0 ? `not known of ${count(unknown, 'more workload')}` : '';
}

/** The zones affected by the changes, if any, and where evictions are stopped, now or later. */
function zonesLines(zones: readonly ZoneChange[], now: Instant, isControlled: boolean): readonly string[] {
	const changed = zones.filter(isMoved);
	const stopping = zones.filter((zone) => !isMoved(zone) && zone.after.steps.some(({rate}) => rate === 0));
	const isStopped = [...changed, ...stopping].some(({after}) => after.steps.some(({rate}) => rate === 0));
	const unchanged = isControlled
		? `no ${stopping.length > 0 ? 'further ' : ''}zone changes its state because of this${isStopped ? '' : '; evictions are not stopped'}`
		: 'all evictions are stopped, as no controller manager runs; no zone changes its state until one does';
	return [
		...(changed.length > 0
			? zoneTexts(changed, now, ({before}) => `; without this: ${storyWords(before, now)}`)
			: [unchanged]),
		...zoneTexts(stopping, now).map((text) => `as before: ${text}`),
	];
}

/** The zones that go through other states: `eu/b: Normal, then FullDisruption in 51s`; empty for none. */
export const zoneChangesText = (zones: readonly ZoneChange[], now: Instant) =>
	zoneTexts(zones.filter(isMoved), now).join('; ');

const isMoved = ({before, after}: ZoneChange) => before !== after;

const mostNamed = 4;

/** The states of zones after the changes, merged for zones with the same text. */
const zoneTexts = (
	zones: readonly ZoneChange[],
	now: Instant,
	also: (zone: ZoneChange) => string = () => '',
) =>
	grouped(zones, (zone) => storyWords(zone.after, now) + also(zone)).map(([story, ones]) => {
		const names = ones.map(({zone}) => zone);
		return `${someOf(names, mostNamed)}: ${story}`;
	});

/** `Normal, then PartialDisruption in 1m5s-1m10s (evictions stop, running countdowns continue)`. */
function storyWords({steps, isSure}: ZoneStory, now: Instant): string {
	const words = steps.map(({state, rate, at}, index) => {
		const before = steps[index - 1];
		const when = !before && at.earliest <= now ? '' : ` ${formatWhen(at, now)}`;
		const pace = paceWords(rate, before, state);
		// The time follows the verb, and the reason follows the time.
		if (state === before?.state && pace.startsWith('evictions')) return pace.replace(/(?=,|$)/, when);
		return `${state}${when}${pace === '' ? '' : ` (${pace})`}`;
	});
	return `${words.join(', then ') || '-'}${isSure ? '' : ', most likely'}`;
}

/** How a zone evicts in a state, if that differs from the state before. */
function paceWords(rate: number, before: ZoneStory['steps'][number] | undefined, state: ZoneState): string {
	if (rate === 0 && before)
		return before.rate > 0 && state !== 'FullDisruption'
			? 'evictions stop, running countdowns continue'
			: paceThen(before.rate, {state, rate});
	if (rate === 0) return 'evictions are stopped';
	if (before?.rate === 0) return 'evictions resume';
	if (state === before?.state) return perSecond(rate);
	// The name sounds as if evictions stopped.
	return before?.state === 'Normal' && state === 'FullDisruption' ? 'evictions go on' : '';
}
