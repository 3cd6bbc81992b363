import {podKey} from '../../core/model/pod.ts';
import {hidesPods} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';
import {timeOfDayBeside} from '../../dates/format.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import {ago} from '../../forecast/words.ts';
import {actorWords} from '../../print/score.ts';
import {deletions, difference} from '../../print/tables/deletionKind.ts';
import {arranged, type DashboardTable, type DrawContext} from './table.ts';

/** Shows tenths of a second for short durations. */
const signed = (duration: number): string => {
	const length = Math.abs(duration);
	return `${duration < 0 ? '-' : '+'}${length < 100_000 ? `${(length / 1000).toFixed(1)}s` : ago(0, length)}`;
};

/** The observed deletions, the newest first, each with its prediction. */
export const events: DashboardTable<ObservedDeletion> = {
	...deletions,
	view: 'events',
	rows: ({scene}) => scene.happenings.toReversed(),
	columns: arranged(deletions.columns, ['DELETED', 'NAME', 'NODE', 'PREDICTED', 'DIFFERENCE']),
	textOf: (pod) => `${podKey(pod)} ${pod.node}`,
	sentencesOf: tellHappening,
	empty: ({forecast}) =>
		forecast.problems.some(hidesPods)
			? 'No deletions known: not all pods and nodes can be read.'
			: 'No pod was deleted since this screen was opened.',
};

/** A deletion in sentences: when, what had been predicted, and how far it was from that. */
export function tellHappening(
	one: ObservedDeletion,
	{now, timeZone}: Pick<DrawContext, 'now' | 'timeZone'>,
): readonly string[] {
	const {at, firstPrediction, node, actor} = one;
	const isByKubelet = actor?.kind === 'Kubelet';
	const words = actor && actorWords[actor.kind];
	const by = actor?.by === undefined ? '' : ` for ${actor.by}`;
	const time = (instant: Instant) => timeOfDayBeside(instant, now, timeZone);
	const deleted = `${podKey(one)}${node === '' ? '' : ` on ${node}`}: ${isByKubelet ? 'evicted by its kubelet' : 'deleted'} at ${time(at)} ${timeZone}, ${ago(at, now)} ago.`;
	if (one.isBefore)
		return [deleted, 'That was before this screen was opened: the event of its eviction told of it.'];
	if (!firstPrediction)
		return [
			deleted,
			words
				? `It was ${words}${by}, which is not predicted.`
				: one.isEviction || isByKubelet
					? 'It was not predicted: nothing announced it.'
					: 'Not evicted because of a taint: something else deleted it.',
		];
	const {earliest, latest, expected} = firstPrediction.range;
	const [from, to] = [time(earliest), latest === null ? 'an open end' : time(latest)];
	return [
		deleted,
		`At ${time(firstPrediction.madeAt)}, ${ago(firstPrediction.madeAt, at)} before, it was predicted for ${from === to ? from : `${from} to ${to}, the median ${time(expected)}`}.`,
		one.isInside
			? `It came inside every range that was predicted, ${signed(at - expected)} from the first median.`
			: `It came outside: ${difference(one)}.`,
	];
}
