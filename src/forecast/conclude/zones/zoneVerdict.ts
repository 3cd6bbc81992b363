import {areThresholdsKnown, isRateKnown} from '../../../core/model/settingsSpan.ts';
import {zoneLabel} from '../../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../../core/nodelifecycle/nodeLabels.ts';
import {type Instant, second} from '../../../core/time/instant.ts';
import {type Stop, zoneWith} from '../../infer/evictionStop.ts';
import type {ZonePast} from '../../infer/zonePast.ts';
import {nodesIn} from '../../observe/affectedNodes.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilentAndReady} from '../../observe/nodes/nodeLiveness.ts';
import type {Range} from '../../range.ts';
import {startsAgain, stoppedWords} from '../../words.ts';
import {
	asKnown,
	type StateStep,
	type ZoneForecast,
	type ZoneStop,
	type ZoneStory,
} from '../../zoneForecast.ts';
import type {Concluded} from '../concluded.ts';
import {storyAhead} from './zoneStory.ts';

/** The state of a zone, and how far it is from others; without the reasons. */
export function judgeZone(zone: string, past: ZonePast, situation: Concluded): ZoneForecast {
	const stop = stopOf(zone, situation);
	const silent = countIn(zone, isSilentAndReady, situation);
	const taints = situation.taints.of(zone);
	const isOpen = situation.evidence.lacksNodes;
	const areAssumed = isOpen || !areThresholdsKnown(situation.span);
	const assumed = {
		...(isOpen && {isStateAssumed: isOpen}),
		...(areAssumed && {areThresholdsAssumed: areAssumed}),
	} as const;
	return {
		zone: zoneLabel(zone),
		state: past.state,
		...assumed,
		size: past.count.size,
		notReady: past.count.notReady,
		silent,
		late: countIn(zone, isOnlyLate, situation),
		rate: stop ? 0 : past.rate,
		...(!stop && (isOpen || isRateAssumed(past, situation)) && {isRateAssumed: true}),
		nextTaint: nextTaintOf(zone, situation),
		taints,
		queue: situation.queues.namesIn(zone),
		coming: silent > 0 ? comingStory(zone, situation) : stays,
		toNextState: stepsToOtherStates(zone, situation).map((step) => asKnown(assumed, step)),
		because: [],
		...(stop ? {stopped: shownStop(stop)} : {}),
	};
}

/** What stops a zone by its state, or for good. */
export const stopOf = (zone: string, situation: Concluded): Stop | undefined =>
	situation.stops.shown(zone) ?? stopForGood(zone, situation);

/**
 * The stop of a zone whose rate would let it evict, but which gets no token: at a rate of 1 the controller does not replace the
 * limiter that stopped it. Undefined if there is none, or something else stops it now.
 */
export function stopForGood(
	zone: string,
	{zones, runs, queues, stops, evidence}: Concluded,
): Stop | undefined {
	const rate = zones.zones.get(zone)?.rate ?? 0;
	if (rate === 0 || runs.length === 0 || stops.shown(zone) || queues.nextTokenOf(zone)) return undefined;
	return {
		kind: 'ZoneStopped',
		by: `evictions in zone ${zoneLabel(zone)} ${stoppedWords.forGood}, as a rate of exactly ${rate} never resumes them`,
		since: null,
		releasedBy: `a new controller manager starts; then ${startsAgain}`,
		firstAfter: second / rate,
		isForGood: true,
		...(evidence.lacksNodes && {isInDoubt: true}),
	};
}

/** Whether other rates of the setting that applies to the zone's state are possible as well. */
function isRateAssumed({state, rate}: ZonePast, {span}: Concluded) {
	const key = state === 'PartialDisruption' ? 'secondaryNodeEvictionRate' : 'nodeEvictionRate';
	return rate > 0 && !isRateKnown(span, key);
}

/**
 * When a zone may taint one more node: once its bucket holds a token. Where nodes wait, the first of them is tainted then, or in
 * the state that comes before. Null if evictions are stopped.
 */
export function nextTaintOf(zone: string, {queues, taints}: Concluded): Range | null {
	const token = queues.nextTokenOf(zone);
	const [first] = taints.of(zone);
	const isAwaited = first !== undefined && queues.lengthOf(zone) > 0;
	return token && isAwaited ? token.joinedWith(first) : token;
}

const countIn = (
	zone: string,
	isCounted: (one: NodeEvidence, now: Instant) => boolean,
	{affected, settings, now}: Concluded,
): number =>
	nodesIn(zone, affected).filter(
		(one) => isCounted(one, now) && !isExcludedFromDisruptionChecks(one.node, settings),
	).length;

const stays: ZoneStory = {steps: [], isSure: true};

/** Without a controller manager, the runs suppose that one takes over now. */
const comingStory = (zone: string, situation: Concluded): ZoneStory =>
	situation.leader.type === 'absent' ? stays : storyAhead(zone, situation);

const shownStop = ({firstAfter: _, ...stop}: Stop): ZoneStop => stop;

/**
 * The fewest nodes that must go down, and the fewest that must come back, to change the state that the zone has once its
 * silent nodes are found; if it does not evict then, also how many until it does.
 */
function stepsToOtherStates(zone: string, situation: Concluded): readonly StateStep[] {
	const {zonesToCome, settings, leader} = situation;
	// The limiter is not replaced at this rate, so the zone stays stopped.
	const deadRate = stopForGood(zone, situation) && situation.zones.zones.get(zone)?.rate;
	const {zones} = zonesToCome.found;
	const {size = 0, notReady = 0} = zones.get(zone)?.count ?? {};
	const isControlled = leader.type !== 'absent';
	const stepWith = (back: number) => {
		const {state, rate} = zoneWith(zone, back, zones, settings);
		return {state, rate: isControlled && rate !== deadRate ? rate : 0};
	};
	const before = stepWith(0);
	const stepsOf = (most: number, toStep: (nodes: number) => StateStep) => {
		const steps: StateStep[] = [];
		for (let nodes = 1; nodes <= most; nodes += 1) {
			const step = toStep(nodes);
			const last = steps.at(-1) ?? before;
			if (step.state !== last.state) steps.push(step);
			if (steps.length > 0 && (before.rate > 0 || step.rate > 0 || !isControlled)) break;
		}
		return steps.filter(({rate}, index) => index === 0 || rate > 0);
	};
	return [
		...stepsOf(size - notReady, (nodesDown) => ({...stepWith(-nodesDown), nodesDown})),
		...stepsOf(notReady, (nodesBack) => ({...stepWith(nodesBack), nodesBack})),
	];
}
