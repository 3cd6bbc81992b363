import type {LowPoint} from '../forecast/lowPoint.ts';
import {count} from '../forecast/words.ts';
import type {Outage} from './outage.ts';
import {clock, clockRange, type PageTexts} from './words.ts';

/** Column heads of the table of workloads that lost pods. */
export const workloadHeads = ['Workload', 'Ready before', 'Lowest', 'Read at', 'Predicted'] as const;

export const workloadCells = (
	{namespace, kind, name, desired, before, lowest, foretold}: LowPoint,
	page: PageTexts,
): readonly string[] => [
	`${namespace}/${kind}/${name}`,
	`${before} of ${desired}`,
	`${lowest.ready} of ${desired}`,
	clock(lowest.at, page),
	foretold ? foretoldWords(foretold, page) : 'not predicted',
];

const foretoldWords = ({ready, at}: NonNullable<LowPoint['foretold']>, page: PageTexts): string =>
	at === null ? `${ready}, at once` : `${ready}, at ${clockRange(at, page)}`;

/** The effect on workloads in one sentence; empty if it is not known. */
export function workloadsSentence({workloads}: Pick<Outage, 'workloads'>): string {
	const [first] = workloads;
	if (!first) return '';
	const none = workloads.filter(({lowest}) => lowest.ready === 0).length;
	const most =
		none > 0
			? `${none} had none ready at some time`
			: `${first.namespace}/${first.name} had ${first.lowest.ready} of ${first.desired} at the least`;
	return `${count(workloads.length, 'workload')} had fewer ready pods: ${most}.`;
}
