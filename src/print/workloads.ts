import {kindAndName} from '../core/model/workloads/workload.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {someOf} from '../forecast/words.ts';
import type {EndpointImpact} from '../impact/endpoints.ts';
import type {WorkloadImpact} from '../impact/workloadImpact.ts';
import type {WorkloadImpactListJson} from './contract/workloadImpact.ts';
import {compareRanges, formatAt, formatCountdown, formatWhen} from './countdown.ts';
import {apiVersion, metadataJson} from './json/json.ts';
import type {Column} from './tables/kind.ts';
import {Table, type TableOptions} from './tables/table.ts';
import {workloadJson} from './whatif/whatIfJson.ts';

const columns: readonly Column<WorkloadImpact>[] = [
	{title: 'NAMESPACE', cell: ({namespace}) => namespace},
	{title: 'NAME', cell: kindAndName},
	{title: 'READY', cell: readyWords},
	{
		title: 'LOWEST',
		cell: ({lowest}) => String(lowest.ready ?? '<unknown>'),
		brief: ({lowest}) => String(lowest.ready ?? '?'),
	},
	{title: 'IN', cell: lowestIn},
	{title: 'AT', drop: 3, cell: ({lowest}, now) => formatAt(lowest.at, now)},
	{
		...{title: 'EVICTING', drop: 2},
		cell: ({losses, held}) => evictingWords(losses.filter(({kind}) => kind === 'Evicted').length, held),
	},
	{title: 'BUDGET', drop: 1, cell: budgetWords},
	{title: 'ENDPOINTS', isWide: true, cell: endpointsWords},
];

/** A table of workloads that lose pods, with the lowest number of ready pods. */
export const formatWorkloads = (
	impacts: readonly WorkloadImpact[],
	options: TableOptions,
	now: Instant,
): string => new Table({columns}, options).rows(byDanger(impacts), now);

/** Workloads that are or will be at zero first, then by the column IN, the soonest first. */
const byDanger = (impacts: readonly WorkloadImpact[]): readonly WorkloadImpact[] =>
	impacts.toSorted(
		(a, b) =>
			Number(b.reachesZero === true) - Number(a.reachesZero === true) ||
			Number(isAtLowest(a) && a.reachesZero !== true) - Number(isAtLowest(b) && b.reachesZero !== true) ||
			compareRanges(a.lowest.at, b.lowest.at),
	);

const isAtLowest = ({lowest}: WorkloadImpact): boolean => lowest.at === null;

/** Whether it has lost pods that are not replaced yet, or will lose any. */
export const isLosing = ({reachesZero, lowest, losses, readyNow, desired}: WorkloadImpact): boolean =>
	reachesZero !== false ||
	lowest.at !== null ||
	losses.length > 0 ||
	readyNow === null ||
	readyNow < (desired ?? Number.POSITIVE_INFINITY);

/** `2`, `0 (3 held)`: how many will or might be evicted, and how many once evictions resume. */
export const evictingWords = (evicting: number, held: number): string =>
	held === 0 ? String(evicting) : `${evicting} (${held} held)`;

function lowestIn({lowest}: WorkloadImpact, now: Instant): string {
	if (lowest.at !== null) return formatCountdown(lowest.at, now);
	return lowest.ready === 0 ? 'at zero' : '-';
}

/** `2/3`: the ready and the desired number of pods. */
export function readyWords({readyNow, desired}: WorkloadImpact): string {
	return `${readyNow ?? '?'}/${desired ?? '?'}`;
}

const mostNamed = 8;

/** The workloads that reach zero, by time: `shop/pod/a, shop/pod/b (at zero already); shop/deployment/web (in 5s)`. */
export function zeroNames(impacts: readonly WorkloadImpact[], now: Instant): string {
	const startOf = ({lowest}: WorkloadImpact) => lowest.at?.expected ?? Number.NEGATIVE_INFINITY;
	const sorted = impacts.toSorted((a, b) => startOf(a) - startOf(b));
	return [...Map.groupBy(sorted, (one) => zeroWhen(one, now))]
		.map(([when, ones]) => `${namesOf(ones)} (${when})`)
		.join('; ');
}

function zeroWhen({lowest, losses}: WorkloadImpact, now: Instant): string {
	if (lowest.at === null) return 'at zero already';
	const last = losses.find(({ready}) => ready === 0);
	// Without this, the workload would seem to reach zero before its pods are evicted.
	const why = last?.kind === 'NotReady' ? ', as the node turns Unknown' : '';
	return formatWhen(lowest.at, now) + why;
}

/** `shop/pod/a, shop/deployment/web`. */
export const namesOf = (impacts: readonly WorkloadImpact[]): string =>
	someOf(
		impacts.map((one) => `${one.namespace}/${kindAndName(one)}`),
		mostNamed,
	);

/** The losses of its services: `web: 3, 1 in 40s-50s, 1 already lost`. */
export function endpointsWords({endpoints}: WorkloadImpact, now: Instant): string {
	return endpoints.map((one) => endpointWords(one, now)).join(', ') || '-';
}

function endpointWords({service, readyNow, alreadyLost, lowest}: EndpointImpact, now: Instant): string {
	const then = lowest.at === null ? '' : `, ${lowest.ready} ${formatWhen(lowest.at, now)}`;
	const lost = alreadyLost === 0 ? '' : `, ${alreadyLost} already lost`;
	return `${service}: ${readyNow}${then}${lost}`;
}

/** How many healthy pods budgets want: `2`, or `3 (below)` if there will be fewer. */
export function budgetWords({budgets}: WorkloadImpact): string {
	const words = budgets.map(
		({desiredHealthy, lowestHealthy}) =>
			`${desiredHealthy}${lowestHealthy < desiredHealthy ? ' (below)' : ''}`,
	);
	return words.join(', ') || '-';
}

/** The workloads that are or fall below their budget: `shop/deployment/web (2 healthy in 5s, its budget wants 3)`, `(2 healthy already, ...)`. */
export const belowBudgetNames = (impacts: readonly WorkloadImpact[], now: Instant): string =>
	someOf(
		impacts.map((one) => {
			const [worst] = one.budgets.toSorted(
				(a, b) => b.desiredHealthy - b.lowestHealthy - (a.desiredHealthy - a.lowestHealthy),
			);
			const when = one.lowest.at === null ? 'already' : formatWhen(one.lowest.at, now);
			return `${one.namespace}/${kindAndName(one)} (${worst?.lowestHealthy} healthy ${when}, its budget wants ${worst?.desiredHealthy})`;
		}),
		mostNamed,
	);

export const workloadsJson = (
	impacts: readonly WorkloadImpact[],
	forecast: Forecast,
): WorkloadImpactListJson => ({
	apiVersion,
	kind: 'WorkloadImpactList',
	metadata: metadataJson(forecast),
	items: byDanger(impacts).map(workloadJson),
});
