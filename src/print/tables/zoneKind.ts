import {compareNames} from '../../core/collections/compareNames.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../../core/time/instant.ts';
import {count, paceThen} from '../../forecast/words.ts';
import {
	hasTaintsToCome,
	leavesNone,
	rateAhead,
	type StateStep,
	type ZoneForecast,
} from '../../forecast/zoneForecast.ts';
import type {ZoneForecastJson} from '../contract/zoneForecast.ts';
import {formatCountdown, formatWhen, tokenWords} from '../countdown.ts';
import {hasMoved, optionalRangeJson, rangeJson, storyJson} from '../json/rangeJson.ts';
import {noControllerWords} from '../legend.ts';
import {briefReason} from './briefReason.ts';
import type {Kind} from './kind.ts';

const urgency: readonly ZoneState[] = ['FullDisruption', 'PartialDisruption', 'Normal', 'Initial'];
const shownInList = 3;

/** A zone, and whether the only controller manager runs on one of its nodes. */
export type ZoneRow = ZoneForecast & {readonly hasOnlyController?: boolean};

export const zones: Kind<ZoneForecast> = {
	name: 'ZoneForecast',
	singular: 'zone',
	nameTitle: 'ZONE',
	columns: [
		{title: 'ZONE', cell: ({zone}) => zone},
		{
			title: 'STATE',
			whenGone: 'Gone',
			cell: ({state}) => state,
			brief: ({state}) => briefState(state),
		},
		{
			title: 'READY',
			cell: ({size, notReady, silent, late}) => readyCell({ready: size - notReady, size, silent, late}),
		},
		{title: 'RATE', drop: 1, cell: ({rate, stopped}) => (stopped?.isToCome ? 'stopping' : rateCell(rate))},
		{
			title: 'NEXT-TAINT',
			drop: 3,
			whenGone: '-',
			// A token that no node waits for taints none.
			cell: (zone, now) =>
				zone.nextTaint === null || hasTaintsToCome(zone) ? tokenWords(zone, now, formatCountdown) : '-',
		},
		{
			title: 'WAITING',
			drop: 2,
			whenGone: '-',
			cell: ({queue}) => formatList(queue.toSorted(compareNames), '<none>'),
			brief: ({queue}) => (queue.length === 0 ? '<none>' : count(queue.length, 'node')),
		},
		{
			title: 'NEXT-STATE',
			whenGone: '-',
			cell: formatNextStates,
			brief: briefNextStates,
		},
		{title: 'TAINTS-IN', isWide: true, whenGone: '-', cell: formatNextTaints},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: briefReason},
	],
	keyOf: ({zone}) => zone,
	nameOf: ({zone}) => zone,
	compare: (a, b) =>
		urgency.indexOf(a.state) - urgency.indexOf(b.state) ||
		b.queue.length - a.queue.length ||
		compareNames(a.zone, b.zone),
	hasChanged: (before, after, now) =>
		before.state !== after.state ||
		before.size !== after.size ||
		before.notReady !== after.notReady ||
		before.silent !== after.silent ||
		before.late > 0 !== after.late > 0 ||
		before.rate !== after.rate ||
		before.queue.join() !== after.queue.join() ||
		hasMoved(before.nextTaint, after.nextTaint, now),
	toJson: zoneJson,
	goneJson: {
		state: 'Gone',
		nextToken: null,
		nextTaints: [],
		queue: [],
		coming: storyJson({steps: [], isSure: true}),
		toNextState: [],
		because: [],
	},
};

/** `3/4, but 1 silent, 2 late`: ready nodes of all, and how many of the ready ones are silent or late. */
export function readyCell({
	ready,
	size,
	silent,
	late,
}: Pick<ZoneForecast, 'size' | 'silent' | 'late'> & {readonly ready: number}): string {
	const parts = [...(silent > 0 ? [`${silent} silent`] : []), ...(late > 0 ? [`${late} late`] : [])];
	return `${ready}/${size}${parts.length > 0 ? `, but ${parts.join(', ')}` : ''}`;
}

function formatNextTaints({taints}: ZoneForecast, now: Instant): string {
	const countdowns = taints.map((taint) => formatCountdown(taint, now));
	return formatList(countdowns, '-');
}

// A truncated list has the form in which kubectl shows endpoints.
function formatList(items: readonly string[], none: string): string {
	if (items.length === 0) return none;
	const more = items.length - shownInList;
	return `${items.slice(0, shownInList).join(',')}${more > 0 ? ` + ${more} more...` : ''}`;
}

/** First the coming states, then what would bring another state. */
function formatNextStates(zone: ZoneRow, now: Instant): string {
	const {steps, isSure} = zone.coming;
	const coming = steps.map((step, index) => {
		const before = steps[index - 1] ?? zone;
		return `${step.state} ${formatWhen(step.at, now)}${isSure ? '' : doubtOf(index, steps)} (${paceThen(before.rate, step)})`;
	});
	const others = zone.toNextState.map((step) => formatStep(step, zone)).join('; ');
	const then = coming.length > 0 && others !== '' ? `then, ${others}` : others;
	return (
		[...(coming.length > 0 ? [coming.join(', ')] : []), ...(then === '' ? [] : [then])].join('; ') || '<none>'
	);
}

/** A zone may pass through a state between two passes, or not. */
const doubtOf = (index: number, steps: ZoneForecast['coming']['steps']): string =>
	index === steps.length - 1 ? ', most likely' : ', perhaps';

/**
 * The short form: changes that stop or resume evictions, or else the first: `1 down: Full, still evicts`, `3 down: stops`,
 * `in 14s-19s: stops until 2 back`, `1 back: others evict, 2 back: evicts`.
 */
function briefNextStates(zone: ZoneRow, now: Instant): string {
	const {steps} = zone.coming;
	const word = (rate: number) => (rate > 0 ? 'evicts' : 'stops');
	const coming = steps.flatMap(({rate, at}, index) =>
		rate > 0 === (steps[index - 1] ?? zone).rate > 0 ? [] : [`${formatWhen(at, now)}: ${word(rate)}`],
	);
	const isEvicting = rateAhead(zone) > 0;
	const ways = zone.toNextState.filter(({rate}) => rate > 0 !== isEvicting).map((step) => wayOf(step));
	const others = zone.toNextState.filter((step) => releasesOthers(step, zone)).map((step) => wayOf(step));
	const isComing = coming.length > 0;
	const way = ways.join(' or ');
	const parts = [
		...(isComing ? [coming.join(', ') + (way === '' ? '' : ` until ${way}`)] : []),
		...(others.length > 0 ? [`${others.join(' or ')}: others evict`] : []),
		...(way === '' || isComing ? [] : [`${way}: ${word(isEvicting ? 0 : 1)}`]),
	];
	return parts.join(', ') || firstNextState(zone, now);
}

/** The first state to come, by itself or by further losses, if none stops or resumes evictions. */
function firstNextState(zone: ZoneRow, now: Instant): string {
	const [step, next] = [zone.coming.steps[0], zone.toNextState[0]];
	if (step) return `${formatWhen(step.at, now)}: ${stillWords(step)}`;
	if (!next) return '<none>';
	return `${wayOf(next)}: ${losesController(next, zone) ? 'all evictions stop' : stillWords(next)}`;
}

/** Whether a step takes the only controller manager, whatever the zone's state would be: all nodes of its zone are down then. */
const losesController = (
	{nodesDown}: StateStep,
	{hasOnlyController = false, size, notReady, silent}: ZoneRow,
): boolean => hasOnlyController && leavesNone(nodesDown, {ready: size - notReady, silent});

const stillWords = ({state, rate}: Pick<StateStep, 'state' | 'rate'>): string =>
	`${briefState(state)}, still ${rate > 0 ? 'evicts' : 'stopped'}`;

const wayOf = ({nodesDown, nodesBack}: StateStep): string =>
	nodesDown === undefined ? `${nodesBack ?? 0} back` : `${nodesDown} down`;

/** `if 1 more node fails`, `if 2 nodes return`. */
const conditionOf = ({nodesDown, nodesBack = 0}: StateStep): string =>
	nodesDown === undefined
		? `if ${count(nodesBack, 'node')} ${nodesBack === 1 ? 'returns' : 'return'}`
		: `if ${count(nodesDown, 'more node')} ${nodesDown === 1 ? 'fails' : 'fail'}`;

/** `Full` for `FullDisruption`. */
export const briefState = (state: string): string => state.replace('Disruption', '');

function formatStep(step: StateStep, zone: ZoneRow): string {
	// Nobody is left that would give the zone its state.
	if (losesController(step, zone)) return `${conditionOf(step)}: ${noControllerWords}`;
	const then = releasesOthers(step, zone) ? 'only other zones evict' : paceThen(rateAhead(zone), step);
	return `${conditionOf(step)}: ${step.state} (${then})`;
}

/** If every zone is down, a returning node of any zone releases the others. */
function releasesOthers({rate, nodesBack}: StateStep, {stopped, coming}: ZoneForecast): boolean {
	const last = coming.steps.at(-1);
	const isAllDown = stopped?.kind === 'AllZonesDown' || (last?.state === 'FullDisruption' && last.rate === 0);
	return isAllDown && nodesBack !== undefined && rate === 0;
}

/** The rate at which nodes of a zone are tainted: `0.1/s`, `stopped`. */
export const rateCell = (rate: number): string => (rate === 0 ? 'stopped' : formatRate(rate));

const formatRate = (rate: number): string => `${Number(rate.toPrecision(3))}/s`;

function zoneJson(row: ZoneRow): Omit<ZoneForecastJson, 'kind' | 'apiVersion'> {
	const {zone, ...forecast} = row;
	return {
		metadata: {name: zone},
		zone,
		state: forecast.state,
		size: forecast.size,
		notReady: forecast.notReady,
		silent: forecast.silent,
		late: forecast.late,
		rate: forecast.rate,
		nextToken: optionalRangeJson(forecast.nextTaint),
		nextTaints: forecast.taints.map(rangeJson),
		queue: forecast.queue,
		coming: storyJson(forecast.coming),
		toNextState: forecast.toNextState.map((step) => (losesController(step, row) ? {...step, rate: 0} : step)),
		because: forecast.because,
	};
}
