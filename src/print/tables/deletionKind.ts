import {compareNames} from '../../core/collections/compareNames.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {ObservedDeletion} from '../../forecast/ledger/observedDeletion.ts';
import type {Range} from '../../forecast/range.ts';
import {linked} from '../../forecast/words.ts';
import type {PodDeletionJson} from '../contract/podDeletion.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import {briefActor} from '../score.ts';
import {type Kind, namespaceColumn} from './kind.ts';

/** How observed deletions are printed: the latest last, as kubectl prints events. */
export const deletions: Kind<ObservedDeletion> = {
	name: 'PodDeletion',
	singular: 'pod',
	nameTitle: 'NAME',
	columns: [
		{
			title: 'DELETED',
			cell: ({at, isUndated}, {time}) => (isUndated ? '<unknown>' : time(at)),
			drawn: {least: 8, most: 14, sortKey: 'T', compare: (a, b) => b.at - a.at, isMostFirst: true},
		},
		namespaceColumn,
		{
			title: 'NAME',
			cell: (pod, {podName}) => podName(pod),
			drawn: {least: 22, most: 70, isName: true, sortKey: 'N'},
		},
		{
			title: 'NODE',
			drop: 3,
			cell: ({node}, {nodeName}) => nodeName(node) || '<unknown>',
			drawn: {least: 6, most: 45, isName: true, sortKey: 'O'},
		},
		{
			title: 'PREDICTED',
			drop: 1,
			hasValue: ({firstPrediction}) => firstPrediction !== undefined,
			cell: ({firstPrediction}, {at}) => at(firstPrediction?.range ?? null),
			drawn: {width: 17},
		},
		{
			title: 'DIFFERENCE',
			hasValue: (one) => enderWords(one) !== '' || !one.isBefore,
			cell: difference,
			drawn: {
				least: 14,
				most: 30,
				tone: ({firstPrediction, isInside, isBefore, isEviction}) =>
					firstPrediction ? (isInside ? 'good' : 'bad') : isBefore || !isEviction ? 'dim' : 'warn',
				sortKey: 'V',
			},
		},
	],
	keyOf: ({uid, at}) => `${uid}/${at}`,
	nameOf,
	namespaceOf: ({namespace}) => namespace,
	compare: (a, b) => a.at - b.at || compareNames(a.name, b.name),
	hasTurned: () => false,
	toJson: deletionJson,
	goneJson: {},
};

/** What ended a pod, if it was not a taint, and how far its end was from the prediction. */
export function difference(one: ObservedDeletion): string {
	const {firstPrediction, isBefore, isEviction, actor} = one;
	const beside = firstPrediction
		? besideOf(one, firstPrediction.range)
		: isBefore
			? 'before this command'
			: '';
	const unsaid = firstPrediction || isBefore ? '' : isEviction ? 'not predicted' : actor ? '' : 'no eviction';
	return linked(', ', enderWords(one), unsaid, beside);
}

/** Who else than a controller by a taint ended a pod; empty if nobody is known. */
const enderWords = ({actor}: ObservedDeletion): string => actor?.by ?? (actor ? briefActor[actor.kind] : '');

function besideOf({at, isInside}: ObservedDeletion, {earliest, latest}: Range): string {
	if (isInside) return 'inside';
	if (at < earliest) return `${formatDuration(earliest - at)} early`;
	if (latest !== null && at > latest) return `${formatDuration(at - latest)} late`;
	return 'outside a later forecast';
}

function deletionJson(deletion: ObservedDeletion): KindJson<PodDeletionJson> {
	const {at, uid, firstPrediction, isUndated, isBefore = false, actor} = deletion;
	return {
		metadata: uid.startsWith('event ')
			? fieldsOf(deletion, 'namespace', 'name')
			: fieldsOf(deletion, 'namespace', 'name', 'uid'),
		node: deletion.node,
		deletedAt: isUndated ? null : at,
		isEviction: deletion.isEviction,
		isBefore,
		...(actor && {actor}),
		predictedAt: firstPrediction?.madeAt ?? null,
		predicted: firstPrediction?.range ?? null,
		isInside: deletion.isInside ?? null,
	};
}
