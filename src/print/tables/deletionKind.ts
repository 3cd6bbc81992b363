import {compareNames} from '../../core/collections/compareNames.ts';
import {formatDuration} from '../../dates/duration.ts';
import {clockTime, formatTimestamp} from '../../dates/utc.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import type {Range} from '../../forecast/range.ts';
import type {PodDeletionJson} from '../contract/podDeletion.ts';
import {formatAt} from '../countdown.ts';
import {optionalRangeJson} from '../json/rangeJson.ts';
import {briefDisrupter} from '../score.ts';
import type {Kind} from './kind.ts';

/** How observed deletions are printed: the latest last, as kubectl prints events. */
export const deletions: Kind<ObservedDeletion> = {
	name: 'PodDeletion',
	singular: 'pod',
	nameTitle: 'NAME',
	columns: [
		{title: 'DELETED', cell: ({at}, now) => clockTime(at, now)},
		{title: 'NAMESPACE', cell: ({namespace}) => namespace},
		{title: 'NAME', cell: ({name}) => name},
		{title: 'NODE', drop: 1, cell: ({node}) => node || '<unknown>'},
		{
			title: 'PREDICTED',
			hasValue: ({firstPrediction}) => firstPrediction !== undefined,
			cell: ({firstPrediction}, now) => formatAt(firstPrediction?.range ?? null, now),
		},
		{title: 'DIFFERENCE', hasValue: ({by, isBefore}) => by !== undefined || !isBefore, cell: difference},
	],
	keyOf: ({uid, at}) => `${uid}/${at}`,
	nameOf: ({name}) => name,
	compare: (a, b) => a.at - b.at || compareNames(a.name, b.name),
	hasChanged: () => false,
	toJson: deletionJson,
	goneJson: {},
};

/** What ended a pod, if it was not a taint, and how far its end was from the prediction. */
function difference(one: ObservedDeletion): string {
	const {firstPrediction, isBefore, isEviction, by} = one;
	const beside = firstPrediction
		? besideOf(one, firstPrediction.range)
		: isBefore
			? 'before this command'
			: '';
	const who = by
		? briefDisrupter[by]
		: firstPrediction || isBefore
			? ''
			: isEviction
				? 'not predicted'
				: 'no eviction';
	return [who, beside].filter((text) => text !== '').join(', ');
}

function besideOf({at, isInside}: ObservedDeletion, {earliest, latest}: Range): string {
	if (isInside) return 'inside';
	if (at < earliest) return `${formatDuration(earliest - at)} early`;
	if (latest !== null && at > latest) return `${formatDuration(at - latest)} late`;
	return 'outside a later forecast';
}

function deletionJson({
	at,
	namespace,
	name,
	uid,
	node,
	firstPrediction,
	isEviction,
	isBefore = false,
	isInside,
	by,
}: ObservedDeletion): Omit<PodDeletionJson, 'kind' | 'apiVersion'> {
	return {
		metadata: uid.startsWith('event ') ? {namespace, name} : {namespace, name, uid},
		node,
		deletedAt: formatTimestamp(at),
		isEviction,
		isBefore,
		...(by && {by}),
		predictedAt: firstPrediction ? formatTimestamp(firstPrediction.madeAt) : null,
		predicted: optionalRangeJson(firstPrediction?.range ?? null),
		isInside: isInside ?? null,
	};
}
