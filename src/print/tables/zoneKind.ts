import {compareNames} from '../../core/collections/compareNames.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import {count, counted, linked, noControllerWords, paceThen, perSecond} from '../../forecast/words.ts';
import {
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
			cell: ({state}) => state,
			brief: ({state}) => briefState(state),
			drawn: {
				least: 11,
				text: ({state, stopped}) =>
					stopped ? (stopWords[stopped.kind] ?? stopWord(stopped)) : briefState(state),
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
			cell: formatNextStates,
			brief: briefNextStates,
			drawn: {least: 26, most: 60, text: briefNextStates, tone: 'dim'},
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

/** Whether a zone has a problem. */
export const isInTrouble = ({state, notReady, silent}: ZoneForecast): boolean =>
	state !== 'Normal' || notReady > 0 || silent > 0;

/** Those in trouble first, then those with nodes that are only late. */
const troubleRank = (zone: ZoneForecast): number => (isInTrouble(zone) ? 0 : zone.late > 0 ? 1 : 2);

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

const stopWord = ({isToCome, isInDoubt}: ZoneStop): string =>
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

/** First the coming states, then what would bring another state. */
function formatNextStates(zone: ZoneForecast, {countdown}: CellContext): string {
	const {steps, isSure} = zone.coming;
	const coming = steps.map((step, index) => {
		const before = steps[index - 1] ?? zone;
		// A zone may pass through a state between two passes, or not.
		const doubt = isSure ? '' : index === steps.length - 1 ? ', most likely' : ', perhaps';
		return `${step.state} ${inWords(countdown(step.at))}${doubt} (${paceThen(before.rate, step)})`;
	});
	const others = zone.toNextState.map((step) => formatStep(step, zone)).join('; ');
	const then = coming.length > 0 && others !== '' ? `then, ${others}` : others;
	return linked('; ', coming.join(', '), then) || '<none>';
}

/**
 * The short form: changes that stop or resume evictions, or else the first: `1 down: Full, still evicts`, `3 down: stops`,
 * `in 14s-19s: stops until 2 back`, `1 back: others evict, 2 back: evicts`.
 */
function briefNextStates(zone: ZoneForecast, context: CellContext): string {
	const {steps} = zone.coming;
	const word = (rate: number) => (rate > 0 ? 'evicts' : 'stops');
	const coming = steps.flatMap(({rate, at}, index) =>
		rate > 0 === (steps[index - 1] ?? zone).rate > 0
			? []
			: [`${inWords(context.countdown(at))}: ${word(rate)}`],
	);
	const isEvicting = rateAhead(zone) > 0;
	const waysOf = (isOne: (step: StateStep) => boolean) =>
		zone.toNextState.filter(isOne).map(wayOf).join(' or ');
	const way = waysOf(({rate, isControllerLost}) => rate > 0 !== isEvicting && !isControllerLost);
	const others = waysOf((step) => releasesOthers(step, zone));
	const last = waysOf(({isControllerLost}) => isControllerLost === true);
	const isComing = coming.length > 0;
	const parts = linked(
		', ',
		isComing ? linked(' until ', coming.join(', '), way) : '',
		others && `${others}: others evict`,
		isComing ? '' : way && `${way}: ${word(isEvicting ? 0 : 1)}`,
		last && `${last}: all evictions stop`,
	);
	return parts || firstNextState(zone, context);
}

/** The first state to come, by itself or by further losses, if none stops or resumes evictions. */
function firstNextState(zone: ZoneForecast, {countdown}: CellContext): string {
	const [step, next] = [zone.coming.steps[0], zone.toNextState[0]];
	if (step) return `${inWords(countdown(step.at))}: ${stillWords(step)}`;
	return next ? `${wayOf(next)}: ${stillWords(next)}` : '<none>';
}

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
const briefState = (state: string): string => state.replace('Disruption', '');

function formatStep(step: StateStep, zone: ZoneForecast): string {
	const pace = step.isControllerLost ? noControllerWords : paceThen(rateAhead(zone), step);
	const then = releasesOthers(step, zone) ? 'other zones evict again, this one does not' : pace;
	return `${conditionOf(step)}: ${step.state} (${then})`;
}

/** If every zone is down, a returning node of any zone releases the others. */
function releasesOthers({rate, nodesBack}: StateStep, {stopped, coming}: ZoneForecast): boolean {
	const last = coming.steps.at(-1);
	const isAllDown = stopped?.kind === 'AllZonesDown' || (last?.state === 'FullDisruption' && last.rate === 0);
	return isAllDown && nodesBack !== undefined && rate === 0;
}

/** The rate at which nodes of a zone are tainted: `0.1/s`, `stopped`, `0.1/s?` if nothing shows it yet, `-` if it is not told. */
export const rateCell = ({
	rate,
	isRateAssumed,
	isUntold,
}: Pick<ZoneForecast, 'rate' | 'isRateAssumed' | 'isUntold'>): string =>
	isUntold ? '-' : rate === 0 ? 'stopped' : `${perSecond(rate)}${isRateAssumed ? '?' : ''}`;

function zoneJson(zone: ZoneForecast): KindJson<ZoneForecastJson> {
	return {
		metadata: {name: zone.zone},
		...fieldsOf(zone, 'zone', 'state', 'size', 'notReady', 'silent', 'late', 'rate'),
		rateAssumed: zone.isRateAssumed ?? false,
		nextToken: zone.nextTaint,
		nextTaints: zone.taints,
		...fieldsOf(zone, 'queue', 'coming', 'toNextState', 'stopped', 'because'),
	};
}
