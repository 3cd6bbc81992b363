import {compareNames} from '../../core/collections/compareNames.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import {changeVerb, count, counted, linked, paceTo, perSecond, stepWords} from '../../forecast/words.ts';
import {
	allDownAhead,
	hasTaintsToCome,
	rateAhead,
	type StateStep,
	type ZoneForecast,
	type ZoneStop,
} from '../../forecast/zoneForecast.ts';
import type {ZoneForecastJson} from '../contract/zoneForecast.ts';
import {hasMoved, inWords, tokenWords} from '../countdown.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import {briefReason, type CellContext, type Kind, listOf, orNone, type Tone} from './kind.ts';

const urgency: readonly ZoneState[] = ['FullDisruption', 'PartialDisruption', 'Normal', 'Initial'];

export const zones: Kind<ZoneForecast> = {
	name: 'ZoneForecast',
	singular: 'zone',
	nameTitle: 'ZONE',
	columns: [
		{
			title: 'ZONE',
			cell: ({zone}, {zoneName}) => zoneName(zone),
			drawn: {least: 10, most: 40, isName: true, sortKey: 'N'},
		},
		{
			title: 'STATE',
			whenGone: 'Gone',
			cell: shownState,
			brief: (zone) => briefState(shownState(zone)),
			drawn: {
				least: 11,
				text: (zone) =>
					zone.stopped
						? (stopWords[zone.stopped.kind] ?? stopWord(zone.stopped))
						: briefState(shownState(zone)),
				sign: ({stopped}) => stopped && 'held',
				tone: ({state, stopped}) => (stopped ? 'held' : stateTones[state]),
				sortKey: 'V',
				compare: compareZones,
			},
		},
		{
			title: 'READY',
			cell: ({size, notReady, silent, late}) => readyCell({ready: size - notReady, size, silent, late}),
			drawn: {tone: readyTone},
		},
		{
			title: 'RATE',
			drop: 4,
			cell: (zone) => (zone.stopped ? stopWord(zone.stopped) : rateCell(zone)),
			drawn: {width: 8, tone: ({rate, stopped}) => (rate === 0 || stopped ? 'held' : undefined)},
		},
		{
			title: 'NEXT-TAINT',
			drop: 2,
			whenGone: '-',
			// A token that no node waits for taints none.
			cell: (zone, {now, countdown}) =>
				zone.nextTaint === null || hasTaintsToCome(zone) ? tokenWords(zone, now, countdown) : '-',
			drawn: {width: 11, tone: ({nextTaint}) => (nextTaint === null ? 'held' : undefined)},
		},
		{
			title: 'WAITING',
			drop: 2,
			whenGone: '-',
			cell: ({queue}) => orNone(listOf(queue.toSorted(compareNames))),
			brief: waitingCount,
			drawn: {
				width: 9,
				text: waitingCount,
				tone: ({stopped}) => (stopped ? 'held' : 'certain'),
				sortKey: 'Q',
				compare: (a, b) => b.queue.length - a.queue.length,
				isMostFirst: true,
			},
		},
		{
			title: 'NEXT-STATE',
			drop: 1,
			whenGone: '-',
			cell: (zone, context) => nextStates(zone, context),
			brief: (zone, context, width) => nextStates(zone, context, true, width),
			drawn: {
				least: 26,
				most: 60,
				text: (zone, context) => nextStates(zone, context, true),
				tone: 'dim',
			},
		},
		{
			title: 'TAINTS-IN',
			isWide: true,
			whenGone: '-',
			cell: ({taints}, {countdown}) => listOf(taints.map(countdown)) || '-',
		},
		{
			title: 'RESUMES-WHEN',
			isWide: true,
			drop: 5,
			whenGone: '-',
			cell: ({stopped}) => orNone(stopped?.releasedBy ?? ''),
			drawn: {least: 40, most: 120, tone: 'held'},
		},
		{title: 'BECAUSE', isWide: true, whenGone: '-', cell: briefReason},
	],
	keyOf: ({zone}) => zone,
	nameOf: ({zone}) => zone,
	compare: compareZones,
	hasTurned: (before, after, now) =>
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
		coming: {isSure: true, steps: []},
		toNextState: [],
		stopped: null,
		because: [],
	},
};

/** `PartialDisruption`, or `PartialDisruption?` by the nodes that are seen. */
function shownState({state, isStateAssumed}: ZoneForecast): string {
	return isStateAssumed ? `${state}?` : state;
}

/** Whether a zone has a problem. */
export const isInTrouble = ({state, notReady, silent}: ZoneForecast) =>
	state !== 'Normal' || notReady > 0 || silent > 0;

/** Those in trouble first, then those with nodes that are only late. */
const troubleRank = (zone: ZoneForecast) => (isInTrouble(zone) ? 0 : zone.late > 0 ? 1 : 2);

function compareZones(a: ZoneForecast, b: ZoneForecast): number {
	return (
		troubleRank(a) - troubleRank(b) ||
		urgency.indexOf(a.state) - urgency.indexOf(b.state) ||
		b.queue.length - a.queue.length ||
		compareNames(a.zone, b.zone)
	);
}

const stopWords: Readonly<Partial<Record<ZoneStop['kind'], string>>> = {
	ControllerDown: 'no ctrl',
	AllZonesDown: 'down',
};

const stopWord = ({isToCome, isInDoubt}: ZoneStop) =>
	isToCome ? 'stopping' : isInDoubt ? 'stopped?' : 'stopped';

const stateTones: Readonly<Record<ZoneState, Tone>> = {
	Initial: 'dim',
	Normal: 'good',
	PartialDisruption: 'warn',
	FullDisruption: 'bad',
};

/** The tone of how many of its nodes are ready. */
export function readyTone({size, notReady, silent, state}: ZoneForecast): Tone {
	if (notReady === 0) return silent > 0 ? 'likely' : 'good';
	return notReady === size ? 'bad' : state === 'Normal' ? 'likely' : 'warn';
}

function waitingCount({queue}: ZoneForecast): string {
	return queue.length === 0 ? '<none>' : count(queue.length, 'node');
}

/** `3/4, but 1 silent, 2 late`: ready nodes of all, and how many of the ready ones are silent or late. */
export function readyCell({
	ready,
	size,
	silent,
	late,
}: Pick<ZoneForecast, 'size' | 'silent' | 'late'> & {readonly ready: number}): string {
	const unwell = linked(', ', counted(silent, 'silent'), counted(late, 'late'));
	return linked(', but ', `${ready}/${size}`, unwell);
}

/**
 * First the coming states, then what would bring another: `in 14s-19s: evictions stop (PartialDisruption); 2 back: evictions
 * resume at 0.1/s (Normal)`. In brief, what stops or resumes evictions, if anything does, as far as a width holds it whole:
 * `in 14s-19s: stop; 2 back: resume`.
 */
function nextStates(
	zone: ZoneForecast,
	{countdown}: CellContext,
	isBrief = false,
	width = Number.POSITIVE_INFINITY,
): string {
	const {steps, isSure} = zone.coming;
	const isNarrow = Number.isFinite(width);
	const coming = steps.map((step, index): NextStep => {
		// A zone may pass through a state between two passes, or not.
		const doubt = isSure ? '' : index === steps.length - 1 ? 'likely ' : 'perhaps ';
		const time = countdown(step.at);
		return {when: doubt + (isNarrow ? time : inWords(time)), before: (steps[index - 1] ?? zone).rate, step};
	});
	const others = zone.toNextState.map((step): NextStep => {
		const {nodesDown, nodesBack = 0} = step;
		const when = nodesDown === undefined ? `${nodesBack} back` : `${nodesDown} more down`;
		return {when, before: rateAhead(zone), step};
	});
	const all = [...coming, ...others];
	const turns = isBrief
		? all.filter(
				({before, step}) =>
					step.rate > 0 !== before > 0 || step.isControllerLost || releasesOthers(step, zone),
			)
		: [];
	const shown = turns.length > 0 ? turns : isBrief ? all.slice(0, 1) : all;
	const alike = Map.groupBy(shown, ({before, step}) =>
		releasesOthers(step, zone)
			? `others evict${turns.length > 0 ? '' : ` (${step.state})`}`
			: turns.length === 0
				? (isNarrow ? changeVerb : isBrief ? paceTo : stepWords)(before, step)
				: step.isControllerLost
					? `all${isNarrow ? '' : ' evictions'} stop`
					: changeVerb(before, step),
	);
	const [first = '<none>', ...rest] = [...alike].map(([what, ways]) => {
		const told = (or: string) => `${ways.map(({when}) => when).join(or)}: ${what}`;
		return told(' or ').length > width ? told('/') : told(' or ');
	});
	return rest.reduce(
		(text, more) => (text.length + more.length + 2 > width ? text : `${text}; ${more}`),
		first,
	);
}

/** A state that a zone enters, its rate before, and when or why. */
type NextStep = {readonly when: string; readonly before: number; readonly step: StateStep};

/** `Full` for `FullDisruption`. */
const briefState = (state: string) => state.replaceAll('Disruption', '');

/** If every zone is down, a returning node of any zone releases the others. */
function releasesOthers({rate, nodesBack}: StateStep, zone: ZoneForecast): boolean {
	const areAllDown = zone.stopped?.kind === 'AllZonesDown' || allDownAhead(zone) !== undefined;
	return areAllDown && nodesBack !== undefined && rate === 0;
}

/** The rate at which nodes of a zone are tainted: `0.1/s`, `stopped`, `0.1/s?` if nothing shows it yet, `-` if it is not told. */
export const rateCell = ({
	rate,
	isRateAssumed,
	isUntold,
}: Pick<ZoneForecast, 'rate' | 'isRateAssumed' | 'isUntold'>) =>
	isUntold ? '-' : rate === 0 ? 'stopped' : `${perSecond(rate)}${isRateAssumed ? '?' : ''}`;

function zoneJson(zone: ZoneForecast): KindJson<ZoneForecastJson> {
	return {
		metadata: {name: zone.zone},
		...fieldsOf(zone, 'zone', 'state', 'size', 'notReady', 'silent', 'late', 'rate'),
		stateAssumed: zone.isStateAssumed ?? false,
		rateAssumed: zone.isRateAssumed ?? false,
		thresholdsAssumed: zone.areThresholdsAssumed ?? false,
		nextToken: zone.nextTaint,
		nextTaints: zone.taints,
		...fieldsOf(zone, 'queue', 'coming', 'toNextState', 'stopped', 'because'),
	};
}
