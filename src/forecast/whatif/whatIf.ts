import {ascending} from '../../core/collections/ascending.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import {zoneLabel} from '../../core/model/zone.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type Concluded, concludedOf} from '../conclude/concluded.ts';
import {withControllersLost} from '../conclude/controllersLost.ts';
import {ownEndings} from '../conclude/endings.ts';
import {type PodOutcome, PodOutcomes} from '../conclude/podOutcomes.ts';
import {asFarAsSeen} from '../conclude/unseenNodes.ts';
import {zoneStories} from '../conclude/zones/zoneStory.ts';
import {findHiddenStates, type HiddenStates} from '../infer/hiddenStates.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import {inferredOf} from '../infer/inferred.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate} from '../observe/nodes/nodeLiveness.ts';
import {mapPausing, type Pausable} from '../pausable.ts';
import type {PodForecast, PodVerdict} from '../podForecast.ts';
import {Range} from '../range.ts';
import {type Change, isSimulated} from '../simulate/change.ts';
import {runAll} from '../simulate/ensemble.ts';
import {horizonFor} from '../simulate/runTrajectory.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {spacingAhead, spreadFor} from '../simulate/spread.ts';
import type {ZoneForecast, ZoneStep, ZoneStory} from '../zoneForecast.ts';
import {affectedWith} from './affectedWith.ts';
import {type EndingsChange, endingsThen, forcedThen, type NodeThen} from './endingsThen.ts';
import {type NodeEnd, nodeEndOf} from './nodeEnd.ts';
import {doubtThen, reasonThen, verdictThen} from './outlook.ts';

/**
 * Added: evicted only after the changes. Avoided: only before. Moved: on both sides, at another time or less or more surely.
 */
type Effect = 'added' | 'avoided' | 'moved' | 'unchanged';

/** One pod as it is forecast, and as it would be after the changes. */
export type PodChange = Readonly<{
	before: PodForecast;
	after: PodForecast;
	effect: Effect;
	/** How much later it is evicted; null unless it is on both sides. */
	shift: Duration | null;
	endings: EndingsChange;
}>;

/** One zone without the changes, and with them: the same story if they do not move its states. */
export type ZoneChange = {
	readonly zone: string;
	readonly before: ZoneStory;
	readonly after: ZoneStory;
};

/** The end state of a simulated node. */
export type NodeChange = NodeEnd & {readonly name: string};

/** The effects of changes. */
export type WhatIf = Readonly<{
	at: Instant;
	changes: readonly Change[];
	/** Whether a controller manager runs in the end. */
	isControlled: boolean;
	pods: readonly PodChange[];
	nodes: readonly NodeChange[];
	zones: readonly ZoneChange[];
}>;

/** Times this close count as the same. */
const same: Duration = second;
/** Both sides may differ by this much without a cause in the changes. */
export const jitter: Duration = 2 * second;

/**
 * Simulates changes in every hidden state that agrees with the evidence, and returns their effects. Both sides are simulated
 * alike, so that they differ only by the changes.
 *
 * @param known the forecasts without the changes
 * @param only the key of the only pod whose change is wanted; all if absent
 */
export function* askWhatIf(
	changes: readonly Change[],
	known: {readonly forecasts: ReadonlyMap<string, PodForecast>; readonly zones: readonly ZoneForecast[]},
	situation: Concluded,
	span: SettingsSpan,
	only?: string,
): Pausable<WhatIf> {
	const ordered = withControllersLost(changes, situation).toSorted(ascending(({at}) => at));
	const affected = affectedWith(ordered, situation);
	const {before, after} = yield* bothSides(ordered, affected, situation, span);
	const outcomesBefore = yield* outcomesIn(before, only);
	const outcomesAfter = yield* outcomesIn(after, only);
	const pods: PodChange[] = [];
	const nodes: NodeChange[] = [];
	for (const one of affected.nodes) {
		const end = nodeEndOf(one, after);
		nodes.push({name: one.node.name, ...end});
		const isLateThenDown =
			isOnlyLate(one, situation.now) &&
			changes.some((change) => change.type === 'nodeDown' && change.node === one.node.name);
		const node = {one, end, wasReady: isReadyNode(one.node), isLateThenDown};
		for (const pod of situation.evidence.pods.onNode(one.node.name)) {
			const key = podKey(pod);
			const [was, is] = [outcomesBefore.get(key), outcomesAfter.get(key)];
			const forecast = known.forecasts.get(key);
			if (forecast && was && is) pods.push(changeOf(pod, forecast, {before: was, after: is}, node, after));
		}
	}
	const isControlled = endsControlled(ordered, situation);
	const zones = zonesOf(before, after, known.zones);
	return {at: situation.now, changes: ordered, isControlled, pods, nodes, zones};
}

function endsControlled(changes: readonly Change[], {leader}: Simulated): boolean {
	const last = changes.findLast(({type}) => type === 'controllersDown' || type === 'controllersStart');
	return last ? last.type === 'controllersStart' : leader.type !== 'absent';
}

/** The results with and without changes, both simulated alike. Without any changes, that is the forecast. */
export function* bothSides(
	changes: readonly Change[],
	affected: AffectedNodes,
	situation: Concluded,
	span: SettingsSpan,
): Pausable<{readonly before: Concluded; readonly after: Concluded}> {
	if (changes.length === 0) return {before: situation, after: situation};
	const {states, ahead} = yield* statesFor(changes, affected, situation, span);
	const inferred = inferredOf({...situation, affected}, states.passes, situation.zones);
	const horizon = horizonFor(affected, situation.settings);
	const supposed = {affected, states: withSharedBegin(states), situation, ofQuestion: changes};
	// Simulated until the same instant as the other side.
	const before = yield* runAll({...supposed, changes: [], horizon: horizon + ahead}, inferred);
	const after = changes.some(isSimulated) ? yield* runAll({...supposed, changes, horizon}, inferred) : before;
	return {
		before: concludedOf(inferred, {changes: [], runs: before}),
		after: concludedOf(inferred, {changes, runs: after}),
	};
}

/** All runs of a hidden state begin alike: later ones copy what the first one began with. */
function withSharedBegin(states: HiddenStates): HiddenStates {
	const begun = new Map<Hypothesis, Simulation>();
	return {
		...states,
		*machineOf(one) {
			const known = begun.get(one);
			if (known) return known.fork();
			const machine = yield* states.machineOf(one);
			if (states.hypotheses.includes(one)) begun.set(one, machine.fork());
			return machine;
		},
	};
}

/**
 * The hidden states to try for changes, and how far away the last event is that depends on them.
 *
 * @param known those that were found for the same nodes, by how many are tried
 */
export function* statesFor(
	changes: readonly Change[],
	affected: AffectedNodes,
	{evidence, now, passes, leader}: Concluded,
	span: SettingsSpan,
	known = new Map<string, HiddenStates>(),
): Pausable<{readonly states: HiddenStates; readonly ahead: Duration}> {
	const ahead = (changes.at(-1)?.at ?? now) - now + span.lateEnd.nodeMonitorGracePeriod;
	const spreadOf = spreadFor(affected.nodes.length, ahead);
	const key = JSON.stringify(spreadOf(passes.phase));
	const states =
		known.get(key) ?? (yield* findHiddenStates({evidence, affected, now, leader}, span, spreadOf));
	known.set(key, states);
	const {phase, throttledPass} = states.passes;
	if (throttledPass) return {states, ahead};
	const phaseSpacing = spacingAhead(phase, spreadOf(phase), ahead);
	return {states: {...states, passes: {...states.passes, phaseSpacing}}, ahead};
}

/** For how many nodes pods are examined between two pauses. */
const nodeOutcomesAStep = 100;

/** The outcomes of the pods of all simulated nodes, by key. @param only the key of the only pod that is wanted */
export function* outcomesIn(side: Concluded, only?: string): Pausable<ReadonlyMap<string, PodOutcome>> {
	const {affected, evidence} = side;
	const outcomes = yield* mapPausing(affected.nodes, nodeOutcomesAStep, (one) => {
		const ofNode = new PodOutcomes(one, side);
		return evidence.pods
			.onNode(one.node.name)
			.filter((pod) => only === undefined || podKey(pod) === only)
			.map((pod): [string, PodOutcome] => [podKey(pod), asFarAsSeen(ofNode.of(pod), side)]);
	});
	return new Map(outcomes.flat());
}

/** The node of a pod, before and after the changes. */
type NodeOfPod = NodeThen & {
	readonly one: NodeEvidence;
	/** Whether it is late, and the changes suppose that it is lost. */
	readonly isLateThenDown: boolean;
};

function changeOf(
	pod: Pod,
	forecast: PodForecast,
	outcomes: Outcomes,
	node: NodeOfPod,
	after: Simulated,
): PodChange {
	const isTerminating = pod.deletionTimestamp !== undefined;
	const change = isTerminating ? unchanged(forecast) : compare(pod, forecast, outcomes, node, after);
	const before = ownEndings(forecast, !node.wasReady);
	const unmoved = change.effect === 'unchanged' ? before : undefined;
	const own = isTerminating ? forcedThen(pod, node, after.changes) : unmoved;
	return {...change, endings: {before, after: endingsThen(outcomes.after, own, node)}};
}

function zonesOf(
	before: Simulated,
	after: Simulated,
	forecasts: readonly ZoneForecast[],
): readonly ZoneChange[] {
	const {now} = before;
	const [storiesBefore, storiesAfter] = [zoneStories(before), zoneStories(after)];
	const zones = new Set([...storiesBefore.keys(), ...storiesAfter.keys()]);
	const none: ZoneStory = {steps: [], isSure: true};
	return [...zones].toSorted().map((key) => {
		const zone = zoneLabel(key);
		const [was = none, is = none] = [storiesBefore.get(key), storiesAfter.get(key)];
		const forecast = forecasts.find((one) => one.zone === zone);
		// Without a controller manager, the runs suppose that one takes over now.
		const isTold = forecast && before.leader.type !== 'absent';
		const [told, then] = isTold
			? [fromNow(forecast, forecast.coming, now), fromNow(forecast, is, now)]
			: [was, is];
		return {zone, before: told, after: isMoved(was, is) && isMoved(told, then) ? then : told};
	});
}

/** A story that begins with the state that the forecast tells. */
function fromNow(zone: ZoneForecast, {steps, isSure}: ZoneStory, now: Instant): ZoneStory {
	const {state, rate, stopped, isStateAssumed} = zone;
	const ahead = steps.filter(({at}) => at.expected > now);
	const all = [{state, rate, at: new Range(now, now, now)}, ...ahead];
	return {
		isSure: isSure && !isStateAssumed && !stopped?.isInDoubt,
		steps: all.filter((step, index) => index === 0 || !isSameState(step, all[index - 1])),
	};
}

/** Whether one story goes through other states than another, or at other times by more than jitter. */
export const isMoved = ({steps: before}: ZoneStory, {steps: after}: ZoneStory) =>
	before.length !== after.length ||
	after.some((step, index) => {
		const was = before[index];
		return !isSameState(step, was) || !was?.at.isNear(step.at, jitter);
	});

// Where nothing shows a rate, each simulation may suppose another.
const isSameState = ({state, rate}: ZoneStep, other: ZoneStep | undefined) =>
	state === other?.state && rate > 0 === other.rate > 0;

type Outcomes = {readonly before: PodOutcome; readonly after: PodOutcome};

/** The effect of changes on a pod's forecast. */
type Compared = Omit<PodChange, 'endings'>;

export const unchanged = (forecast: PodForecast): Compared => ({
	before: forecast,
	after: forecast,
	effect: 'unchanged',
	shift: null,
});

function compare(
	pod: Pod,
	forecast: PodForecast,
	{before, after}: Outcomes,
	{one, end, isLateThenDown}: NodeOfPod,
	situation: Simulated,
): Compared {
	// A pod that the forecast holds, though it may be evicted on both sides, gets the result found here.
	const isNew = forecast.eviction === null && forecast.verdict === 'Held' && after.eviction !== null;
	// Of a late node both sides suppose that it is lost, but the forecast is not sure of that.
	const isSettled = isLateThenDown && forecast.verdict === 'Unsure' && isUnsure(after) === false;
	const isUnmoved = !isNew && !isSettled && isSame(before, after);
	const isSpared = forecast.cause?.kind === 'NodeRepair' && end.isBack;
	const verdict = verdictThen(pod, after, end, situation);
	if (isUnmoved && !isSpared && !hasOtherWord(forecast, verdict)) return unchanged(forecast);
	const reason = reasonThen(pod, after, end, situation);
	const changed: PodForecast = {
		...forecast,
		phase: pod.phase,
		ready: pod.ready,
		verdict,
		eviction: after.eviction,
		held: null,
		endings: after.endings,
		cause: after.cause ?? forecast.cause,
		because: isUnsure(after) ? [doubtThen(one, situation), reason] : [reason],
	};
	// A node that is back is not repaired.
	const told = (effect: Effect, shift: Duration | null = null): Compared => ({
		before: forecast,
		after: changed,
		effect,
		shift,
	});
	if (isSpared && !after.eviction) return told('avoided');
	if (isUnmoved) return told('unchanged');
	const was = before.eviction ?? forecast.eviction;
	if (isNew || !was || !after.eviction) return told(after.eviction ? 'added' : 'avoided');
	return told('moved', after.eviction.expected - was.expected);
}

/** Whether a pod that stays on both sides stays for another reason: its node is lost, or back. */
function hasOtherWord({verdict}: PodForecast, then: PodVerdict) {
	if (then !== 'Safe' && then !== 'Stays' && then !== 'Held') return false;
	return verdict === 'Safe'
		? then !== 'Safe'
		: then === 'Safe' && (verdict === 'Stays' || verdict === 'Held');
}

function isSame(a: PodOutcome, b: PodOutcome) {
	const isNear = !a.eviction || !b.eviction || a.eviction.isNear(b.eviction, same);
	return isNear && isUnsure(a) === isUnsure(b);
}

/** Whether a pod may also stay; null if it stays. */
const isUnsure = ({eviction, verdict}: PodOutcome): boolean | null => eviction && verdict === 'Unsure';
