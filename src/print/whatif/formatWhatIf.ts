import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {becomesHeld, isSaved, wasHeld} from '../../forecast/whatif/podsInDanger.ts';
import type {PodChange, WhatIf, ZoneChange} from '../../forecast/whatif/whatIf.ts';
import {startsAgain} from '../../forecast/words.ts';
import type {WhatIfImpact, WorkloadChange} from '../../impact/whatIfImpact.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {formatCountdown, formatDuration, formatWhen} from '../countdown.ts';
import {outcomeWord} from '../legend.ts';
import {briefReason} from '../tables/briefReason.ts';
import {type Fitting, fittingTable} from '../tables/fit.ts';
import {budgetWords, endpointsWords, readyWords} from '../workloads.ts';
import {wrap} from '../wrap.ts';
import {changesText} from './changeWords.ts';
import {endingsOnLine} from './endings.ts';
import {formatOutOfService} from './outOfService.ts';
import {simulatedHead} from './simulatedHead.ts';
import {answerText, isMoved, shiftOf, storyWords} from './whatIfAnswer.ts';

/**
 * Formats a what-if: the answer first, then the zones, then each pod before and after.
 *
 * @param notes what is to be said of the changes themselves, each a sentence
 * @param width of the terminal; undefined in a pipe, where tables have all columns
 */
export function formatWhatIf(
	whatIf: WhatIf,
	impact: WhatIfImpact,
	zone: TimeZone = utc,
	notes: readonly string[] = [],
	width?: number,
): string {
	const {at: now, changes, zones} = whatIf;
	const changed = impact.pods.filter((pod) => pod.effect !== 'unchanged' || becomesHeld(pod) || isSaved(pod));
	return [
		simulatedHead(now, zone) +
			changesText(changes, now, zone) +
			[...notes, ...controllerNotes(changes)].map((note) => wrap(note, '')).join('') +
			inTimeZone(answerText(impact, zones, now, isControlled(changes)), now, zone),
		fittingTable(
			workloadColumns,
			impact.workloads.filter((one) => isLowered(one, now)).map((one) => workloadRow(one, now)),
			{width},
		),
		zoneTable(zones, now, width),
		...impact.outOfService.map(formatOutOfService),
		fittingTable(podColumns, podRows(changed.toSorted(compareChanges), now, zone), {width}),
		fittingTable(endingColumns, endingChanges(impact.pods, now), {width}),
	]
		.filter((text) => text !== '')
		.join('\n');
}

/** Whether a controller manager runs in the end, as far as the changes say. */
const isControlled = (changes: WhatIf['changes']): boolean =>
	changes.findLast(({type}) => type === 'controllersDown' || type === 'controllersStart')?.type !==
	'controllersDown';

/** What the changes do to the controllers themselves. */
function controllerNotes(changes: WhatIf['changes']): readonly string[] {
	const isOf = (wanted: 'controllersDown' | 'controllersStart') => changes.some(({type}) => type === wanted);
	if (isOf('controllersDown') && !isControlled(changes))
		return ['Nothing is tainted or evicted until another controller manager runs.'];
	return isOf('controllersStart')
		? [
				`A new controller manager starts from nothing: nodes lose their NoExecute taints until their turn comes again, and ${startsAgain}.`,
			]
		: [];
}

const podColumns: readonly Fitting[] = [
	{title: 'NAMESPACE'},
	{title: 'NAME'},
	{title: 'NODE', drop: 2},
	{title: 'CHANGE'},
	{title: 'BEFORE', drop: 1},
	{title: 'AFTER'},
	{title: 'THEN', drop: 3},
	{title: 'BECAUSE', drop: 4},
];
const zoneColumns: readonly Fitting[] = [{title: 'ZONE'}, {title: 'BEFORE'}, {title: 'AFTER'}];
const workloadColumns: readonly Fitting[] = [
	{title: 'NAMESPACE'},
	{title: 'WORKLOAD'},
	{title: 'READY'},
	{title: 'LOWEST BEFORE', drop: 1},
	{title: 'LOWEST AFTER'},
	{title: 'ENDPOINTS', drop: 2},
	{title: 'BUDGET', drop: 3},
];

/** The zones that are moved, before and after; the answer tells what they go through then, where there is no room for both. */
function zoneTable(zones: readonly ZoneChange[], now: Instant, width: number | undefined): string {
	const rows = zones.filter((zone) => isMoved(zone, now)).map((zone) => zoneRow(zone, now));
	const whole = fittingTable(zoneColumns, rows);
	const isTooWide = whole.split('\n').some((line) => line.length > (width ?? Number.POSITIVE_INFINITY));
	return isTooWide ? '' : whole;
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

/** Pods of one workload on one node to which the same happens share a row. */
function podRows(pods: readonly PodChange[], now: Instant, zone: TimeZone): readonly (readonly string[])[] {
	const rows = pods.map((pod) => {
		const {namespace, name} = pod.after;
		const {kind, name: workload} = workloadOf(pod.after);
		return {begin: namespace, name, rest: podRow(pod, now, zone), of: `${kind}/${workload}`};
	});
	return folded(rows);
}

/** A row that pods may share: one tells the name of the first, and how many more there are. */
type SharedRow = {
	readonly begin: string;
	readonly name: string;
	readonly rest: readonly string[];
	/** What pods must have in common besides. */
	readonly of?: string;
};

const folded = (rows: readonly SharedRow[]): readonly (readonly string[])[] =>
	[...Map.groupBy(rows, ({begin, of, rest}) => [begin, of, ...rest].join('\n')).values()].map((ones) => {
		const [{begin, name, rest}] = ones as [SharedRow];
		return [begin, name + (ones.length > 1 ? ` and ${ones.length - 1} more` : ''), ...rest];
	});

function podRow(pod: PodChange, now: Instant, zone: TimeZone): readonly string[] {
	const {before, after} = pod;
	return [
		after.node,
		changeWord(pod),
		outlook(before, now),
		outlook(after, now),
		outcomeWord(after.after) ?? '-',
		inTimeZone(briefReason(after), now, zone),
	];
}

/** What the changes do to a pod; by how much they move it where that is known on both sides. */
function changeWord(pod: PodChange): string {
	const {effect} = pod;
	if (becomesHeld(pod)) return 'held';
	if (effect === 'unchanged') return 'saved';
	const shift = shiftOf(pod);
	if (effect === 'added' && wasHeld(pod)) return 'released';
	if (shift === null) return effect;
	return `${effect} ${shift < 0 ? '-' : '+'}${formatDuration(Math.abs(shift))}`;
}

/** `4m10s-5m2s`, `Held`, `Safe`. */
const outlook = ({verdict, eviction}: PodForecast, now: Instant): string =>
	eviction === null
		? verdict
		: `${verdict === 'Unsure' && eviction.about === null ? 'perhaps ' : ''}${formatCountdown(eviction, now)}`;

const zoneRow = ({zone, before, after}: ZoneChange, now: Instant): readonly string[] => [
	zone,
	storyWords(before, now),
	storyWords(after, now),
];

/** Whether its row tells of a change. */
const isLowered = ({before, after}: WorkloadChange, now: Instant): boolean => {
	const readyNow = (after ?? before)?.readyNow ?? null;
	return lowestWords(before, readyNow, now) !== lowestWords(after, readyNow, now);
};

function workloadRow({before, after}: WorkloadChange, now: Instant): readonly string[] {
	const one = after ?? before;
	if (!one) return [];
	const {namespace, kind, name, readyNow} = one;
	return [
		namespace,
		`${kind.toLowerCase()}/${name}`,
		readyWords(one),
		lowestWords(before, readyNow, now),
		lowestWords(after, readyNow, now),
		endpointsWords(one, now),
		budgetWords(one),
	];
}

function lowestWords(impact: WorkloadImpact | undefined, readyNow: number | null, now: Instant): string {
	const {ready, at} = impact?.lowest ?? {ready: readyNow, at: null};
	const count = ready ?? '?';
	return at === null ? String(count) : `${count} ${formatWhen(at, now)}`;
}

/** The headings of the rows of `endingChanges`. */
const endingColumns: readonly Fitting[] = [
	{title: 'NODE'},
	{title: 'PODS'},
	{title: 'ENDED BEFORE BY', drop: 1},
	{title: 'ENDED AFTER BY'},
];

/**
 * The causes that compete for pods, before and after the changes: of pods that several may end, or that another cause ends
 * first than before. Equal pods of a node share a row.
 */
function endingChanges(pods: readonly PodChange[], now: Instant): readonly (readonly string[])[] {
	return folded(
		pods.filter(tellsSomething).map(({after: {node, name}, endings: {before, after}}) => ({
			begin: node,
			name,
			rest: [endingsOnLine(before, now), endingsOnLine(after, now)],
		})),
	);
}

function tellsSomething({endings: {before, after}}: PodChange): boolean {
	if (before.length > 1 || after.length > 1) return true;
	const [first, then] = [before[0], after[0]];
	return first !== undefined && then !== undefined && first.cause !== then.cause;
}
