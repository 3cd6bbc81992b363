import {ascending} from '../core/collections/ascending.ts';
import {grouped} from '../core/collections/grouped.ts';
import {kindAndName, workloadTitle} from '../core/model/workloads/workload.ts';
import {type Instant, never} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {comingOf, lastOf} from '../forecast/pending.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {ReadyAgain} from '../forecast/readyAgain.ts';
import {percent, someOf} from '../forecast/words.ts';
import type {EndpointImpact} from '../impact/endpoints.ts';
import type {WorkloadImpact} from '../impact/workloadImpact.ts';
import {type AnswerOptions, AnswerPage} from './answerPage.ts';
import type {WorkloadImpactListJson} from './contract/whatIf.ts';
import {formatWhen, formatWhenAt, rangePlace} from './countdown.ts';
import {headJson} from './json/json.ts';
import {podsText} from './status/causes.ts';
import {type CellContext, type Column, namespaceColumn, orNone} from './tables/kind.ts';
import {Table, type TableOptions} from './tables/table.ts';

/** The columns of workloads. */
export const workloadColumns: readonly Column<WorkloadImpact>[] = [
	namespaceColumn,
	{
		title: 'NAME',
		cell: kindAndName,
		drawn: {text: workloadTitle, least: 30, most: 70, isName: true, sortKey: 'N'},
	},
	{title: 'READY', drop: 1, cell: readyWords, drawn: {isRight: true}},
	{
		title: 'LOWEST',
		cell: ({lowest}) => String(lowest.ready ?? '<unknown>'),
		drawn: {
			width: 9,
			isRight: true,
			tone: ({lowest: {ready}, readyNow}) =>
				ready === 0 ? 'bad' : ready === null || ready < (readyNow ?? ready) ? 'likely' : 'good',
			sortKey: 'A',
			compare: (a, b) => (a.lowest.ready ?? never) - (b.lowest.ready ?? never),
		},
	},
	{
		title: 'IN',
		cell: ({lowest}, {countdown}) =>
			lowest.at ? countdown(lowest.at) : lowest.ready === 0 ? 'at zero' : '-',
		drawn: {
			width: 12,
			tone: ({reachesZero}) => (reachesZero ? 'certain' : 'likely'),
			isTimed: true,
			sortKey: 'T',
			compare: ascending(placeOf),
		},
	},
	{title: 'AT', drop: 3, cell: ({lowest}, {at}) => at(lowest.at)},
	{
		title: 'EVICTING',
		drop: 2,
		// How many will or might be evicted, and how many once evictions resume: `2`, `0 (3 held)`.
		cell: ({losses, held}) =>
			losses.filter(({kind}) => kind === 'Evicted').length + (held === 0 ? '' : ` (${held} held)`),
		drawn: {
			most: 15,
			isRight: true,
			tone: ({held}) => (held > 0 ? 'held' : 'certain'),
			sortKey: 'P',
			compare: (a, b) => b.losses.length + b.held - a.losses.length - a.held,
			isMostFirst: true,
		},
	},
	{title: 'READY-AGAIN', drop: 3, cell: readyAgainWords},
	{title: 'BUDGET', drop: 3, cell: budgetWords, drawn: {most: 20}},
	{
		title: 'ENDPOINTS',
		isWide: true,
		drop: 5,
		cell: ({endpoints}, {now}) => endpoints.map((one) => endpointWords(one, now)).join(', ') || '-',
		drawn: {most: 40, tone: 'dim'},
	},
	{
		title: 'THEN',
		isWide: true,
		drop: 4,
		cell: ({outcomes}) => orNone(Object.keys(outcomes).join(',')),
		drawn: {least: 10, most: 40, tone: 'dim'},
	},
];

/** A table of workloads that lose pods, with the lowest number of ready pods. */
export const formatWorkloads = (impacts: readonly WorkloadImpact[], options: TableOptions, now: Instant) =>
	new Table({columns: workloadColumns}, options).rows(byDanger(impacts), now);

/** Workloads that are or will be at zero first, then by the column IN. */
export const byDanger = (impacts: readonly WorkloadImpact[]) => impacts.toSorted(compareDanger);

function compareDanger(a: WorkloadImpact, b: WorkloadImpact): number {
	return Number(b.reachesZero === true) - Number(a.reachesZero === true) || placeOf(a) - placeOf(b);
}

/** The place of what the column IN shows. */
function placeOf({lowest: {at, ready}}: WorkloadImpact): number {
	if (at) return rangePlace(at);
	return ready === 0 ? 0 : Number.MAX_VALUE;
}

/** Whether it has lost pods that are not replaced yet, or will lose any. */
export const isLosing = ({reachesZero, lowest, losses, held, readyNow, desired}: WorkloadImpact) =>
	held > 0 ||
	reachesZero !== false ||
	lowest.at !== null ||
	losses.length > 0 ||
	readyNow === null ||
	readyNow < (desired ?? Number.POSITIVE_INFINITY);

/** `2/3`: the ready and the desired number of pods. */
export function readyWords({readyNow, desired}: WorkloadImpact): string {
	return `${readyNow ?? '?'}/${desired ?? '?'}`;
}

const mostNamed = 8;

/** The workloads that reach zero, by time: `shop/a, shop/b (at zero already); shop/deployment/web (in 5s)`. */
export function zeroNames(impacts: readonly WorkloadImpact[], now: Instant): string {
	const startOf = ({lowest}: WorkloadImpact) => lowest.at?.expected ?? Number.NEGATIVE_INFINITY;
	const sorted = impacts.toSorted(ascending(startOf));
	return grouped(sorted, (one) => zeroWhen(one, now))
		.map(([when, ones]) => `${namesOf(ones)} (${when})`)
		.join('; ');
}

function zeroWhen({lowest, losses}: WorkloadImpact, now: Instant): string {
	if (lowest.at === null) return 'at zero already';
	const last = losses.find(({ready}) => ready === 0);
	// Without this, the workload would seem to reach zero before its pods are evicted.
	const why = last?.kind === 'NotReady' ? ', as the node turns Unknown' : '';
	const {probability} = lowest.at;
	return `${formatWhen(lowest.at, now)}${why}${probability === undefined ? '' : `, in ${percent(probability)} of the cases`}`;
}

/** `shop/a, shop/deployment/web`. */
export const namesOf = (impacts: readonly WorkloadImpact[]) => someOf(impacts.map(workloadTitle), mostNamed);

/** The losses of a service: `web: 3, 1 in 40s-50s, 1 already lost`. */
function endpointWords({service, readyNow, alreadyLost, lowest}: EndpointImpact, now: Instant): string {
	const then = lowest.at === null ? '' : `, ${lowest.ready} ${formatWhen(lowest.at, now)}`;
	const lost = alreadyLost === 0 ? '' : `, ${alreadyLost} already lost`;
	return `${service}: ${readyNow}${then}${lost}`;
}

/** `4m12s or later`; `not by itself` if any that it loses needs somebody's doing. */
function readyAgainWords({readyAgain}: WorkloadImpact, {countdown}: CellContext): string {
	if (!readyAgain) return '-';
	return readyAgain.all ? countdown(readyAgain.all) : byItselfWords(readyAgain);
}

const byItselfWords = (again: ReadyAgain | undefined): string =>
	again?.isKnown ? 'not by itself' : 'not known';

/** The workloads by when the first pod that replaces one may be ready: `shop/deployment/web (in 4m12s or later); shop/db (not by itself)`. */
export const readyAgainNames = (impacts: readonly WorkloadImpact[], now: Instant): string =>
	grouped(
		impacts.filter(({readyAgain}) => readyAgain),
		({readyAgain}) => (readyAgain?.first ? formatWhenAt(readyAgain.first, now) : byItselfWords(readyAgain)),
	)
		.map(([when, ones]) => `${namesOf(ones)} (${when})`)
		.join('; ');

/** How many healthy pods budgets want: `2`, or `3 (below)` if there will be fewer; `?` if its owners were not read. */
function budgetWords({budgets, readyNow}: WorkloadImpact): string {
	const words = budgets.map(
		({desiredHealthy, lowestHealthy}) =>
			`${desiredHealthy}${lowestHealthy < desiredHealthy ? ' (below)' : ''}`,
	);
	return words.join(', ') || (readyNow === null ? '?' : '-');
}

/** The workloads that are or fall below their budget: `shop/deployment/web (2 healthy in 5s, its budget wants 3)`, `(2 healthy already, ...)`. */
export const belowBudgetNames = (impacts: readonly WorkloadImpact[], now: Instant) =>
	someOf(
		impacts.map((one) => {
			const [worst] = one.budgets.toSorted(
				(a, b) => b.desiredHealthy - b.lowestHealthy - (a.desiredHealthy - a.lowestHealthy),
			);
			const when = one.lowest.at === null ? 'already' : formatWhen(one.lowest.at, now);
			return `${workloadTitle(one)} (${worst?.lowestHealthy} healthy ${when}, its budget wants ${worst?.desiredHealthy})`;
		}),
		mostNamed,
	);

export const workloadsJson = (
	impacts: readonly WorkloadImpact[],
	forecast: Forecast,
): WorkloadImpactListJson => ({
	...headJson('WorkloadImpactList', forecast),
	items: byDanger(impacts),
});

/**
 * One sentence about a workload, before its pods are explained: `deployment/web in namespace shop: 2 will be evicted; next in
 * 10s-12s (14:00:10Z/14:00:12Z), last in 20s-22s; 2/4 pods ready, 1 at the lowest.`
 *
 * @param pods the affected pods of the workload
 */
export function workloadSummary(
	impact: WorkloadImpact,
	pods: readonly PodForecast[],
	now: Instant,
	options?: AnswerOptions,
): string {
	const {namespace, lowest} = impact;
	const pending = comingOf(pods);
	const [first, last] = [pending[0]?.eviction, lastOf(pending)];
	const when = first ? `; next ${formatWhenAt(first, now)}` : '';
	const end = pending.length > 1 && last ? `, last ${formatWhen(last, now)}` : '';
	const fewest = lowest.at === null || lowest.ready === null ? '' : `, ${lowest.ready} at the lowest`;
	const ready = impact.readyNow === null ? '' : `; ${readyWords(impact)} pods ready${fewest}`;
	const text = `${kindAndName(impact)} in namespace ${namespace}: ${podsText({pods, nodes: [], problems: []})}${when}${end}${ready}`;
	return new AnswerPage(now, options).wrap(`${text}.`);
}
