import {type Duration, second} from '../core/time/instant.ts';
import {formatTimestamp} from '../dates/utc.ts';
import type {Score} from '../forecast/ledger/score.ts';
import type {ScoreJson} from './contract/common.ts';
import {optionalRangeJson} from './json/rangeJson.ts';

/** The most misses in JSON. */
const mostMisses = 10;

/** Whether there is a score yet. */
export const hasScore = ({judged, unforeseen, falseAlarms}: Score): boolean =>
	judged + unforeseen + falseAlarms.length > 0;

/** The score in one line: `143 of 143 deletions inside their range, median width 1.4 s`. */
export function formatScore({judged, inside, medianWidth, unforeseen, falseAlarms}: Score): string {
	const width = medianWidth === null ? 'not bounded' : formatWidth(medianWidth);
	const parts = [
		judged > 0
			? `${inside} of ${judged} deletions inside their range, median width ${width}`
			: 'no deletion judged',
		...(unforeseen > 0 ? [`${unforeseen} not foreseen`] : []),
		...(falseAlarms.length > 0
			? [`${falseAlarms.length} false alarm${falseAlarms.length === 1 ? '' : 's'}`]
			: []),
	];
	return parts.join('; ');
}

/** How wide a range is, in seconds. */
export const formatWidth = (width: Duration): string => `${(width / second).toFixed(1)} s`;

/** The score as the JSON contract has it. */
export function scoreJson({judged, inside, medianWidth, misses, unforeseen, falseAlarms}: Score): ScoreJson {
	return {
		judged,
		inside,
		medianWidthSeconds: medianWidth === null ? null : seconds(medianWidth),
		misses: misses.slice(-mostMisses).map(({namespace, name, uid, at, prediction, by}) => ({
			...{namespace, name, uid},
			deletedAt: formatTimestamp(at),
			predictedAt: formatTimestamp(prediction.madeAt),
			eviction: optionalRangeJson(prediction.range),
			bySeconds: seconds(by),
		})),
		unforeseen,
		falseAlarms: falseAlarms.length,
	};
}

const seconds = (duration: number): number => Math.round(duration) / second;

/** Adds the score so far to the metadata of a watch's item, once there is any. */
export const withScore = (item: {readonly kind: string; readonly metadata?: object}, score: Score) =>
	hasScore(score) ? {...item, metadata: {...item.metadata, score: scoreJson(score)}} : item;
