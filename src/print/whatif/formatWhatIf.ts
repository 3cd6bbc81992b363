import {grouped} from '../../core/collections/grouped.ts';
import {podKey} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {becomesHeld, isSaved, wasHeld} from '../../forecast/whatif/podsInDanger.ts';
import type {PodChange, WhatIf} from '../../forecast/whatif/whatIf.ts';
import {count, linked, someOf, startsAgain} from '../../forecast/words.ts';
import type {WhatIfImpact, WorkloadChange} from '../../impact/whatIfImpact.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {AnswerPage} from '../answerPage.ts';
import {formatCountdown, formatWhen} from '../countdown.ts';
import {outcomeWord} from '../legend.ts';
import {briefReason, type Column, inTable} from '../tables/kind.ts';
import {pods} from '../tables/podKind.ts';
import {plainTable, Table, type TableOptions} from '../tables/table.ts';
import {workloadColumns as workloadsTable} from '../workloads.ts';
import {changesText} from './changeWords.ts';
import {endingsOnLine} from './endings.ts';
import {formatOutOfService} from './outOfService.ts';
import {workloadName} from './rescueKept.ts';
import {answerText, isOnlyJitter, isSameTime, movedWord, shiftOf} from './whatIfAnswer.ts';

/**
 * Formats a what-if: the answer with the zones first, then the workloads, then each pod before and after.
 *
 * @param notes sentences about the changes themselves
 */
export function formatWhatIf(
	whatIf: WhatIf,
	impact: WhatIfImpact,
	options: TableOptions = plainTable,
	notes: readonly string[] = [],
): string {
	const {at: now, changes, isControlled, zones} = whatIf;
	const page = new AnswerPage(now, options);
	const table = <Item>(columns: readonly Column<Item>[], items: readonly Item[]) =>
		new Table({columns}, options).rows(items, now);
	const changed = impact.pods.filter(
		(pod) =>
			becomesHeld(pod) ||
			isSaved(pod) ||
			(pod.effect !== 'unchanged' && !isOnlyJitter(pod) && (options.isWide || !isSameTime(pod))),
	);
	return linked(
		'\n',
		page.simulated +
			page.told(changesText(changes, now)) +
			[...notes, ...controllerNotes(whatIf), ...terminatingNotes(whatIf, impact)]
				.map((note) => page.wrap(note))
				.join('') +
			answerText(impact, zones, page, isControlled),
		table(
			workloadColumns,
			impact.workloads.filter(
				(one) => lowestWords(one, one.before, now) !== lowestWords(one, one.after, now),
			),
		),
		...impact.outOfService.map((preview) => formatOutOfService(preview, page)),
		table(podColumns, folded(changed.toSorted(compareChanges), podColumns, now)),
		table(endingColumns, folded(impact.pods.filter(tellsSomething), endingColumns, now)),
	);
}

/** The effects of the changes on the controllers themselves. */
function controllerNotes({changes, isControlled}: WhatIf): readonly string[] {
	const isOf = (wanted: 'controllersDown' | 'controllersStart') => changes.some(({type}) => type === wanted);
	if (isOf('controllersDown') && !isControlled)
		return ['Until a controller manager runs, nothing is tainted, evicted or set not ready.'];
	return isOf('controllersStart')
		? [
				`A new controller manager starts from nothing: nodes lose their NoExecute taints until their turn comes again, and ${startsAgain}.`,
			]
		: [];
}

/** The pods that are deleted already, and end as their kubelet is back. */
function terminatingNotes({changes}: WhatIf, {pods}: WhatIfImpact): readonly string[] {
	const back = new Set(changes.flatMap((change) => (change.type === 'nodeBack' ? change.node : [])));
	const all = pods.filter(({after: {verdict, node}}) => verdict === 'Terminating' && back.has(node));
	return grouped(all, ({after}) => after.node).map(([node, ones]) => {
		const names = someOf(ones.map(({after}) => podKey(after)));
		const [are, they] = ones.length === 1 ? ['is', 'it ends'] : ['are', 'they end'];
		return `${count(ones.length, 'pod')} of ${node} ${are} Terminating already (${names}): ${they} as soon as its kubelet is back, and nothing saves ${ones.length === 1 ? 'it' : 'them'}.`;
	});
}

/** Pods that share a row, and the first of them. */
type ChangedPodRow = {readonly pod: PodChange; readonly all: readonly PodChange[]};

const nameCell = ({pod, all}: ChangedPodRow) =>
	all.length > 1 ? workloadName(pod.after, all.length) : pod.after.name;

function nodeCell({pod, all}: ChangedPodRow): string {
	const nodes = new Set(all.map(({after}) => after.node));
	return nodes.size > 1 ? count(nodes.size, 'node') : pod.after.node;
}

const podColumns: readonly Column<ChangedPodRow>[] = [
	{title: 'NAMESPACE', cell: ({pod}) => pod.after.namespace},
	{
		title: 'NAME',
		cell: nameCell,
		brief: ({pod: {after}, all}) =>
			all.length > 1 ? `${workloadOf(after).name} (${all.length} pods)` : after.name,
	},
	{title: 'NODE', drop: 2, cell: nodeCell},
	{title: 'CHANGE', cell: ({pod}) => changeWord(pod)},
	{title: 'BEFORE', drop: 1, cell: ({pod}, {now}) => outlook(pod.before, now)},
	{title: 'AFTER', cell: ({pod}, {now}) => outlook(pod.after, now)},
	{title: 'THEN', drop: 3, cell: ({pod}) => outcomeWord(pod.after.after) ?? '-'},
	{title: 'BECAUSE', drop: 4, cell: ({pod}) => briefReason(pod.after)},
];

/** The causes that compete for pods, before and after the changes. */
const endingColumns: readonly Column<ChangedPodRow>[] = [
	{title: 'NODE', cell: ({pod}) => pod.after.node},
	{title: 'PODS', cell: nameCell},
	{title: 'ENDED BEFORE BY', drop: 1, cell: ({pod}, {now}) => endingsOnLine(pod.endings.before, now)},
	{title: 'ENDED AFTER BY', cell: ({pod}, {now}) => endingsOnLine(pod.endings.after, now)},
];

/** A column of `workloads` after the changes; before them, if the workload loses nothing afterwards. */
const workloadColumn = (title: string, drop = 0, shown = title): readonly Column<WorkloadChange>[] =>
	workloadsTable
		.filter((column) => column.title === title)
		.map(({cell}) => ({
			title: shown,
			drop,
			cell: ({before, after}, context) => {
				const workload = after ?? before;
				return workload ? cell(workload, context) : '';
			},
		}));

const workloadColumns: readonly Column<WorkloadChange>[] = [
	...workloadColumn('NAMESPACE'),
	...workloadColumn('NAME', 0, 'WORKLOAD'),
	...workloadColumn('READY'),
	{title: 'LOWEST BEFORE', drop: 1, cell: (change, {now}) => lowestWords(change, change.before, now)},
	{title: 'LOWEST AFTER', cell: (change, {now}) => lowestWords(change, change.after, now)},
	...workloadColumn('ENDPOINTS', 2),
	...workloadColumn('BUDGET', 3),
];

const order: readonly PodChange['effect'][] = ['added', 'avoided', 'moved', 'unchanged'];

/** In the order of `pods`, by the forecast after the changes, or before them if nothing evicts the pod afterwards. */
const compareChanges = (a: PodChange, b: PodChange): number => {
	const of = ({before, after}: PodChange) => (after.eviction ? after : before);
	return order.indexOf(a.effect) - order.indexOf(b.effect) || pods.compare(of(a), of(b));
};

/** Merges pods of one workload whose cells differ only in the name, or in the pod's node. */
const folded = (
	changes: readonly PodChange[],
	columns: readonly Column<ChangedPodRow>[],
	now: Instant,
): readonly ChangedPodRow[] => {
	const alike = grouped(changes, (pod) => {
		const {kind, name} = workloadOf(pod.after);
		const others = columns.filter(({cell}) => cell !== nameCell && cell !== nodeCell);
		return [kind, name, ...others.map(({cell}) => cell({pod, all: [pod]}, inTable(now)))].join('\n');
	});
	return alike.map(([, all]) => ({pod: all[0], all}));
};

/** The effect of the changes on a pod; with the shift in time if both ends of its range moved by it. */
function changeWord(pod: PodChange): string {
	const {effect} = pod;
	if (becomesHeld(pod)) return 'held';
	if (effect === 'unchanged') return 'saved';
	const shift = shiftOf(pod);
	if (effect === 'added' && wasHeld(pod)) return 'released';
	if (effect === 'moved' && (shift === null || isSameTime(pod))) return movedWord(pod);
	if (shift === null || Math.abs(shift) < second) return effect;
	return `${effect} ${shift < 0 ? '-' : '+'}${formatDuration(Math.abs(shift))}`;
}

/** `4m10s-5m2s`, `Held`, `Safe`. */
const outlook = ({verdict, eviction}: PodForecast, now: Instant) =>
	eviction === null
		? verdict
		: `${verdict === 'Unsure' && eviction.about === null ? 'perhaps ' : ''}${formatCountdown(eviction, now)}`;

function lowestWords(
	{before, after}: WorkloadChange,
	impact: WorkloadImpact | undefined,
	now: Instant,
): string {
	const {ready, at} = impact?.lowest ?? {ready: (after ?? before)?.readyNow ?? null, at: null};
	const count = ready ?? '?';
	return at === null ? String(count) : `${count} ${formatWhen(at, now)}`;
}

/** Whether several causes may end a pod, or the first cause changes. */
function tellsSomething({endings: {before, after}}: PodChange): boolean {
	if (before.length > 1 || after.length > 1) return true;
	const [first, then] = [before[0], after[0]];
	return first !== undefined && then !== undefined && first.cause !== then.cause;
}
