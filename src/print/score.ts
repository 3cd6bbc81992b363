import {type Disrupter, disrupters} from '../core/model/pod.ts';
import {second} from '../core/time/instant.ts';
import type {Actor} from '../forecast/ledger/actor.ts';
import type {Score} from '../forecast/ledger/score.ts';
import type {ShownScore} from '../forecast/ledger/shownForecasts.ts';
import {count, counted, linked} from '../forecast/words.ts';
import type {ScoreJson} from './contract/common.ts';
import {fieldsOf, secondsJson} from './json/jsonOf.ts';

/** The maximum number of misses in JSON. */
const mostMisses = 10;

/** Whether there is a score yet. */
export const hasScore = ({judged, unforeseen, falseAlarms, shown}: Score) =>
	judged + unforeseen + falseAlarms + shown.first.judged + shown.falseHeld > 0;

/**
 * The score: `143 of 143 deletions inside their range, median width 1.4 s`, and a second line about all ranges shown: `the
 * range first shown was right for 140 of 143, the one a minute before for 131 of 131; ranges were right 98.2 % of the time; of
 * 12 nodes with wide ranges 5 went before the expected time, 10 within the likely times`.
 */
export function formatScore(score: Score): string {
	const {judged, inside, medianWidth, unforeseen, ends, others, falseAlarms, shown} = score;
	const width = medianWidth === null ? 'not bounded' : `${(medianWidth / second).toFixed(1)} s`;
	const told = linked(
		'; ',
		judged > 0
			? `${inside} of ${judged} deletions inside their range, median width ${width}`
			: 'no deletion judged',
		counted(unforeseen, 'not foreseen'),
		...othersWords(others),
		counted(ends.all - ends.named, 'unexplained'),
		falseAlarms > 0 ? count(falseAlarms, 'false alarm') : '',
		counted(shown.falseHeld, 'false Held'),
	);
	return linked('\n', told, formatShown(shown));
}

/** The score on lines of its own; empty if there is none yet. */
export const scoreText = (score: Score) => (hasScore(score) ? `${formatScore(score)}\n` : '');

/** Deletions that are never predicted, by cause: `2 preempted by the scheduler`. */
export const othersWords = (others: Score['others'] = {}) =>
	disrupters.flatMap((one) => (others[one] ? [`${others[one]} ${disrupterWords[one]}`] : []));

/** How another component ended a pod. */
export const disrupterWords: Readonly<Record<Disrupter, string>> = {
	PreemptionByScheduler: 'preempted by the scheduler',
	EvictionByEvictionAPI: 'evicted by the Eviction API (drain, descheduler)',
	TerminationByKubelet: 'ended by its kubelet',
};

/** Who ended a pod, for a cell; empty for what is predicted. */
export const briefActor: Readonly<Record<Actor['kind'], string>> = {
	TaintEviction: '',
	DeviceTaintEviction: '',
	NodeEviction: '',
	PodGarbageCollection: '',
	Scheduler: 'preempted',
	EvictionAPI: 'Eviction API',
	Kubelet: 'by its kubelet',
	Owner: 'by its owner',
	DeleteRequest: 'deleted on request',
};

/** The same in a sentence, of what is not predicted. */
export const actorWords: Readonly<Partial<Record<Actor['kind'], string>>> = {
	Scheduler: disrupterWords.PreemptionByScheduler,
	EvictionAPI: disrupterWords.EvictionByEvictionAPI,
	Owner: 'deleted by its owner (scaled down, or updated)',
	DeleteRequest: 'deleted on request (kubectl delete, or a program)',
};

function formatShown({first, minuteBefore, odds, time, insideTime}: ShownScore): string {
	if (first.judged + minuteBefore.judged === 0) return '';
	const before =
		minuteBefore.judged > 0
			? `, the one a minute before for ${minuteBefore.inside} of ${minuteBefore.judged}`
			: '';
	// Rounded down, so that only all of them give 100 %.
	const tenths = (Math.floor((insideTime / time) * 1000) / 10).toFixed(1);
	const share = time > 0 ? `; ranges were right ${tenths} % of the time` : '';
	const {judged, before: sooner, likely} = odds;
	const chances =
		judged > 0
			? `; of ${count(judged, 'node')} with wide ranges ${sooner} went before the expected time, ${likely} within the likely times`
			: '';
	return `the range first shown was right for ${first.inside} of ${first.judged}${before}${share}${chances}`;
}

export function scoreJson(score: Score): ScoreJson {
	const {judged, inside, medianWidth, misses, unforeseen, ends, others, falseAlarms, shown} = score;
	return {
		judged,
		inside,
		medianWidthSeconds: medianWidth === null ? null : secondsJson(medianWidth),
		misses: misses.slice(-mostMisses).map((miss) => ({
			...fieldsOf(miss, 'namespace', 'name', 'uid'),
			deletedAt: miss.at,
			predictedAt: miss.prediction.madeAt,
			eviction: miss.prediction.range,
			bySeconds: secondsJson(miss.by),
		})),
		unforeseen,
		ends,
		...(others && {others}),
		falseAlarms,
		...fieldsOf(shown, 'falseHeld', 'first', 'minuteBefore', 'odds'),
		shownSeconds: secondsJson(shown.time),
		shownInsideSeconds: secondsJson(shown.insideTime),
	};
}

/** Adds the score so far, if any, to the metadata of a watch's item. */
export const withScore = (item: {readonly kind: string; readonly metadata?: object}, score: Score) =>
	hasScore(score) ? {...item, metadata: {...item.metadata, score: scoreJson(score)}} : item;
