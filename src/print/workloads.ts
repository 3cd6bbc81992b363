import type {Instant} from '../core/time/instant.ts';
import {inTimeZone} from '../dates/format.ts';
import {type TimeZone, utc} from '../dates/timeZone.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {someOf} from '../forecast/words.ts';
import type {EndpointImpact} from '../impact/endpoints.ts';
import type {WorkloadImpact} from '../impact/workloadImpact.ts';
import type {WorkloadImpactListJson} from './contract/workloadImpact.ts';
import {formatAt, formatCountdown, formatWhen} from './countdown.ts';
import {apiVersion, metadataJson} from './json/json.ts';
import {type Fitting, fittingTable} from './tables/fit.ts';
import type {TableOptions} from './tables/table.ts';
import {workloadJson} from './whatif/whatIfJson.ts';

const columns: readonly Fitting[] = [
	...['NAMESPACE', 'NAME', 'READY', 'LOWEST', 'IN'].map((title) => ({title})),
	{title: 'AT', drop: 2},
	{title: 'EVICTING', drop: 1},
];
const wideColumns: readonly Fitting[] = [{title: 'ENDPOINTS'}, {title: 'BUDGET'}];

/** Which workloads lose pods, and how few stay ready: those that reach zero first. */
export function formatWorkloads(
	impacts: readonly WorkloadImpact[],
	{isWide, showHeaders, timeZone = utc, width}: TableOptions,
	now: Instant,
): string {
	const rows = byDanger(impacts).map((one) => [
		...ownRow(one, now, timeZone),
		...(isWide ? [endpointsWords(one, now), budgetWords(one)] : []),
	]);
	return isWide
		? fittingTable([...columns, ...wideColumns], rows, {showHeaders})
		: fittingTable(columns, rows, {showHeaders, width});
}

/** Those that reach zero first, then those that lose pods first. */
export const byDanger = (impacts: readonly WorkloadImpact[]): readonly WorkloadImpact[] =>
	impacts.toSorted((a, b) => Number(b.reachesZero === true) - Number(a.reachesZero === true));

/** Whether it has lost pods that are not replaced, or will lose any: others are made whole already. */
export const isLosing = ({reachesZero, lowest, losses, readyNow, desired}: WorkloadImpact): boolean =>
	reachesZero !== false ||
	lowest.at !== null ||
	losses.length > 0 ||
	readyNow === null ||
	readyNow < (desired ?? Number.POSITIVE_INFINITY);

function ownRow(one: WorkloadImpact, now: Instant, zone: TimeZone): readonly string[] {
	const {namespace, kind, name, lowest} = one;
	const evicting = one.losses.filter((loss) => loss.kind === 'Evicted').length;
	return [
		namespace,
		`${kind.toLowerCase()}/${name}`,
		readyWords(one),
		lowest.ready === null ? '<unknown>' : String(lowest.ready),
		lowest.at === null ? (lowest.ready === 0 ? 'at zero' : '-') : formatCountdown(lowest.at, now),
		inTimeZone(formatAt(lowest.at, now), now, zone),
		String(evicting),
	];
}

/** `2/3`; how many are ready, of how many there should be. */
export const readyWords = ({readyNow, desired}: WorkloadImpact): string =>
	`${readyNow ?? '?'}/${desired ?? '?'}`;

const mostNamed = 8;

/** Workloads that reach zero, by when: `shop/pod/a, shop/pod/b (at zero already); shop/deployment/web (in 5s)`. */
export function zeroNames(impacts: readonly WorkloadImpact[], now: Instant): string {
	const startOf = ({lowest}: WorkloadImpact) => lowest.at?.earliest ?? Number.NEGATIVE_INFINITY;
	const sorted = impacts.toSorted((a, b) => startOf(a) - startOf(b));
	const groups = Map.groupBy(sorted, ({lowest}) =>
		lowest.at === null ? 'at zero already' : formatWhen(lowest.at, now),
	);
	return [...groups]
		.map(([when, ones]) => {
			const names = ones.map(({namespace, kind, name}) => `${namespace}/${kind.toLowerCase()}/${name}`);
			return `${someOf(names, mostNamed)} (${when})`;
		})
		.join('; ');
}

/** What its services lose: `web: 3, 1 in 40s-50s, 1 lost already`. */
export const endpointsWords = ({endpoints}: WorkloadImpact, now: Instant): string =>
	endpoints.map((one) => endpointWords(one, now)).join(', ') || '-';

function endpointWords({service, readyNow, alreadyLost, lowest}: EndpointImpact, now: Instant): string {
	const then = lowest.at === null ? '' : `, ${lowest.ready} ${formatWhen(lowest.at, now)}`;
	const lost = alreadyLost === 0 ? '' : `, ${alreadyLost} already lost`;
	return `${service}: ${readyNow}${then}${lost}`;
}

/** What budgets forbid, which taint evictions do not ask: `web forbids 2 (not asked)`. */
export const budgetWords = ({budgets}: WorkloadImpact): string =>
	budgets
		.filter(({forbids}) => forbids > 0)
		.map(({name, forbids}) => `${name} forbids ${forbids} (not asked)`)
		.join(', ') || '-';

/** The same for programs. */
export const workloadsJson = (
	impacts: readonly WorkloadImpact[],
	forecast: Forecast,
): WorkloadImpactListJson => ({
	apiVersion,
	kind: 'WorkloadImpactList',
	metadata: metadataJson(forecast),
	items: byDanger(impacts).map(workloadJson),
});
