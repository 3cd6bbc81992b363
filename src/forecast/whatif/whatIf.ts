import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {zoneLabel} from '../../core/model/zone.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {endOf, type NodeEnd} from '../conclude/nodeEnd.ts';
import type {PodOutcome} from '../conclude/podOutcome.ts';
import {PodOutcomes} from '../conclude/podOutcomes.ts';
import {type ZoneStory, zoneStories} from '../conclude/zoneStory.ts';
import {findHiddenStates, type HiddenStates} from '../infer/hiddenStates.ts';
import type {SettingsSpan} from '../infer/settingsSpan.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Pausable} from '../pausable.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Change} from '../simulate/change.ts';
import {horizonOf} from '../simulate/horizon.ts';
import type {Question} from '../simulate/runTrajectory.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {gapOf, runTrials, spreadFor, type Trial} from '../simulate/trials.ts';
import {affectedWith} from './affectedWith.ts';
import {type EndingsChange, endingsNow, endingsOfTerminating, endingsThen} from './endingsThen.ts';
import {causeIn, reasonOf, verdictOf} from './outlook.ts';

/** Added: it would stay, and goes. Avoided: it would go, and stays. Moved: it goes at another time, or less surely. */
export type Effect = 'added' | 'avoided' | 'moved' | 'unchanged';

/** One pod as it is forecast, and as it would be. */
export type PodChange = {
	readonly before: PodForecast;
	readonly after: PodForecast;
	readonly effect: Effect;
	/** How much later it goes; null unless it goes before and after. */
	readonly shift: Duration | null;
	readonly endings: EndingsChange;
};

/** One zone as it goes on, and as it would. */
export type ZoneChange = {
	readonly zone: string;
	readonly before: ZoneStory;
	readonly after: ZoneStory;
};

/** How a node would end, of those that are looked at. */
export type NodeChange = NodeEnd & {readonly name: string};

/** What changes would do. */
export type WhatIf = {
	readonly at: Instant;
	readonly changes: readonly Change[];
	readonly pods: readonly PodChange[];
	readonly nodes: readonly NodeChange[];
	readonly zones: readonly ZoneChange[];
};

/** What is not farther apart is the same. */
const same: Duration = second;

/**
 * Plays changes through every hidden state that agrees with the evidence, and says what they would do. Both sides are
 * played alike, so that they differ by nothing but the changes.
 *
 * @param forecasts what is foretold without them
 */
export function* askWhatIf(
	changes: readonly Change[],
	forecasts: ReadonlyMap<string, PodForecast>,
	situation: Simulated,
	span: SettingsSpan,
): Pausable<WhatIf> {
	const {evidence} = situation;
	const isReady = (name: string) => {
		const node = evidence.nodes.get(name)?.node;
		return node !== undefined && isReadyNode(node);
	};
	const ordered = changes.toSorted((a, b) => a.at - b.at);
	const affected = affectedWith(ordered, situation);
	const {states, gap, ahead} = yield* statesFor(ordered, affected, situation, span);
	const shared = {affected, states, situation};
	const question: Question = {...shared, changes: ordered, horizon: horizonFor(affected, situation)};
	// As long as the other side, to its end.
	const asItIs: Question = {...question, changes: [], horizon: question.horizon + ahead};
	const [before, after] = [yield* runTrials(asItIs), yield* runTrials(question)];
	const outcomesBefore = new PodOutcomes(asItIs, before, gap);
	yield;
	const outcomesAfter = new PodOutcomes(question, after, gap);
	yield;
	const nodes = affected.nodes.map(
		({node}): NodeChange => ({name: node.name, ...endOf(node.name, isReady(node.name), after, gap)}),
	);
	const pods = nodes.flatMap((end) => {
		const node = {end, wasReady: isReady(end.name)};
		return evidence.pods.onNode(end.name).flatMap((pod): readonly PodChange[] => {
			const forecast = forecasts.get(podKey(pod));
			if (!forecast) return [];
			const outcomes = {before: outcomesBefore.of(pod), after: outcomesAfter.of(pod)};
			const isTerminating = pod.deletionTimestamp !== undefined;
			const change = isTerminating ? unchanged(forecast) : compare(pod, forecast, outcomes, end, situation);
			const endingsBefore = endingsNow(forecast, node);
			const unmoved = change.effect === 'unchanged' ? endingsBefore : undefined;
			const endingsAfter = isTerminating
				? endingsOfTerminating(pod, outcomes.after, node, ordered)
				: endingsThen(outcomes.after, unmoved, node);
			return [{...change, endings: {before: endingsBefore, after: endingsAfter}}];
		});
	});
	return {at: situation.now, changes: ordered, pods, nodes, zones: zonesOf(before, after)};
}

/** How far to look beyond the last change. */
export function horizonFor({nodes}: AffectedNodes, {settings}: Pick<Simulated, 'settings'>): Duration {
	const timeout = settings.taintBasedEvictions ? 0 : settings.podEvictionTimeout;
	return horizonOf(nodes.length) + timeout;
}

/** The hidden states to try for changes, how far apart they lie, and how far off the last thing is that depends on them. */
export function* statesFor(
	changes: readonly Change[],
	affected: AffectedNodes,
	{evidence, now}: Simulated,
	span: SettingsSpan,
): Pausable<{readonly states: HiddenStates; readonly gap: Duration; readonly ahead: Duration}> {
	const ahead = (changes.at(-1)?.at ?? now) - now + span.late.nodeMonitorGracePeriod;
	const spreadOf = spreadFor(affected.nodes.length, ahead);
	const states = yield* findHiddenStates(evidence, affected, span, now, spreadOf);
	const gap = states.passes.throttledPass
		? 0
		: gapOf(states.passes.phase, spreadOf(states.passes.phase), ahead);
	return {states, gap, ahead};
}

function zonesOf(before: readonly Trial[], after: readonly Trial[]): readonly ZoneChange[] {
	const [storiesBefore, storiesAfter] = [zoneStories(before), zoneStories(after)];
	const zones = new Set([...storiesBefore.keys(), ...storiesAfter.keys()]);
	const none: ZoneStory = {steps: [], isSure: true};
	return [...zones].toSorted().map((zone) => ({
		zone: zoneLabel(zone),
		before: storiesBefore.get(zone) ?? none,
		after: storiesAfter.get(zone) ?? none,
	}));
}

/** What changes do to a pod, as far as its forecast goes. */
type Compared = Omit<PodChange, 'endings'>;

const unchanged = (forecast: PodForecast): Compared => ({
	before: forecast,
	after: forecast,
	effect: 'unchanged',
	shift: null,
});

function compare(
	pod: Pod,
	forecast: PodForecast,
	{before, after}: {readonly before: PodOutcome; readonly after: PodOutcome},
	end: NodeEnd,
	situation: Simulated,
): Compared {
	const isUnmoved = isSame(before, after);
	if (isUnmoved && !hasOtherWord(forecast, after, end)) return unchanged(forecast);
	const changed: PodForecast = {
		...forecast,
		phase: pod.phase,
		ready: pod.ready,
		verdict: verdictOf(after, end),
		eviction: after.range,
		cause: causeIn(after) ?? forecast.cause,
		held: null,
		because: [reasonOf(pod, after, end, situation)],
	};
	if (isUnmoved) return {before: forecast, after: changed, effect: 'unchanged', shift: null};
	if (!before.range || !after.range) {
		return {before: forecast, after: changed, effect: after.range ? 'added' : 'avoided', shift: null};
	}
	const shift = after.range.expected - before.range.expected;
	return {before: forecast, after: changed, effect: 'moved', shift};
}

/** A pod that stays either way stays for another reason: its node is lost, or back. */
function hasOtherWord({verdict}: PodForecast, outcome: PodOutcome, end: NodeEnd): boolean {
	if (outcome.happens !== 'never') return false;
	const then = verdictOf(outcome, end);
	return verdict === 'Safe'
		? then !== 'Safe'
		: then === 'Safe' && (verdict === 'Stays' || verdict === 'Held');
}

function isSame(a: PodOutcome, b: PodOutcome): boolean {
	if (a.happens !== b.happens || !a.range || !b.range) return a.happens === b.happens;
	const isNear = (one: Instant | null, other: Instant | null) =>
		one === null || other === null ? one === other : Math.abs(one - other) < same;
	return isNear(a.range.earliest, b.range.earliest) && isNear(a.range.latest, b.range.latest);
}
