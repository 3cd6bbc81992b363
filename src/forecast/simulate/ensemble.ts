import {type SettingsSpan, slowestClient} from '../../core/model/settingsSpan.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, never} from '../../core/time/instant.ts';
import {findHiddenStates} from '../infer/hiddenStates.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import {type Inferred, inferredOf} from '../infer/inferred.ts';
import {ThrottledPasses} from '../infer/throttledPasses.ts';
import {zonesAt} from '../infer/zonePast.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../observe/observed.ts';
import type {Pausable} from '../pausable.ts';
import {type Change, nodeOfChange} from './change.ts';
import {interchangeableNodesOf, tieBreaks} from './interchangeableNodes.ts';
import type {HypothesisTrajectory} from './passRun.ts';
import {inOtherOrders} from './queueOrder.ts';
import {type Run, runsOf} from './run.ts';
import {horizonFor, runTrajectory, type Supposed} from './runTrajectory.ts';
import type {Simulated} from './simulated.ts';
import {isOwn, type Trajectory} from './trajectory.ts';

/** The runs of several hidden states that agree with the evidence. */
export type Ensemble = Pick<Simulated, 'runs' | 'passes' | 'changes'>;

/**
 * Runs the machine ahead without changes, from hidden states spread over all that the evidence allows. If no controllers run,
 * new ones are assumed to take over now, which makes everything come as early as it can.
 */
export function* runEnsemble(observed: Observed, span: SettingsSpan): Pausable<Ensemble> {
	const {affected, now, leader} = observed;
	const states = yield* findHiddenStates(observed, span);
	const {passes} = states;
	const early = {...observed, settings: {...span.earlyEnd, ...slowestClient(span)}};
	const changes: readonly Change[] = leader.type === 'absent' ? [{at: now, type: 'controllersStart'}] : [];
	const supposed: Supposed = {
		affected,
		states,
		changes,
		ofQuestion: [],
		horizon: horizonFor(affected, {...span.earlyEnd, podEvictionTimeout: span.lateEnd.podEvictionTimeout}),
		situation: early,
	};
	const inferred = inferredOf({...early, span}, passes, zonesAt(now, affected, span.earlyEnd));
	return {runs: yield* runAll(supposed, inferred), passes, changes};
}

/**
 * Runs the supposed changes through all hidden states.
 *
 * @param isAnswered whether the runs of one instant of the next pass suffice as an answer, before any tie-break is tried
 */
export function* runAll(
	supposed: Supposed,
	inferred: Inferred,
	isAnswered: (runs: readonly Run[]) => boolean = () => false,
): Pausable<readonly Run[]> {
	const {affected, changes, ofQuestion, states, focus} = supposed;
	const touched = nodesTouched(ofQuestion, affected);
	const asked = {isSupposed: ofQuestion.length > 0, isFocused: focus !== undefined};
	const runs: Run[] = [];
	for (const hypotheses of Map.groupBy(states.hypotheses, startOf).values()) {
		const state = withPeriod(inferred, hypotheses[0]?.nodeMonitorPeriod);
		const followed = yield* runThrough(hypotheses, supposed);
		const isOrdered = focus === undefined || followed.some(({trajectory}) => waits(focus.node, trajectory));
		const others = isOrdered ? inOtherOrders(followed, affected, focus !== undefined) : [];
		const fair = [...followed, ...(yield* runThrough(others, supposed))];
		const trajectories = fair.map(({trajectory}) => trajectory);
		const groups = interchangeableNodesOf(touched, changes, trajectories, queuedAfter(state));
		const found = runsOf(fair, groups, state, asked);
		if (isAnswered(found)) return found;
		const last = hypotheses.length - 1;
		// The quantiles between the ends matter while a pass may be in progress.
		const tried = hypotheses.filter(
			(one, index) => index === 0 || index === last || one.passQuantile === 'inProgress',
		);
		const biased: HypothesisTrajectory[] = [];
		for (const rankOf of isOrdered ? tieBreaks(groups, trajectories, focus?.node) : [])
			biased.push(
				...(yield* runThrough(
					tried.map((one) => ({...one, rankOf})),
					supposed,
				)),
			);
		runs.push(...found, ...runsOf(biased, groups, state, asked));
		yield;
	}
	return runs;
}

/**
 * Whether a node that returns is found not ready, and without its taint, before. The order in which nodes are tainted matters
 * only to those that wait for it.
 */
function waits(name: string, {nodes}: Trajectory): boolean {
	const {taints = [], readiness = []} = nodes.get(name) ?? {};
	const back = readiness.find(({isReady}) => isReady)?.at ?? never;
	return readiness.length > 0 && taints.some((moment) => moment.at < back && !moment.taints.some(isOwn));
}

/** Hypotheses with the same passes. */
const startOf = ({nodeMonitorPeriod, passQuantile}: Hypothesis) => `${nodeMonitorPeriod} ${passQuantile}`;

function withPeriod(state: Inferred, nodeMonitorPeriod = state.settings.nodeMonitorPeriod): Inferred {
	if (state.settings.nodeMonitorPeriod === nodeMonitorPeriod) return state;
	const known = {...state, settings: {...state.settings, nodeMonitorPeriod}};
	return {...known, throttled: new ThrottledPasses(known, state.passes.throttledPass)};
}

/** The nodes of zones that changes affect; all nodes, if changes stop or start controllers. */
function nodesTouched(changes: readonly Change[], {nodes}: AffectedNodes): readonly NodeEvidence[] {
	if (changes.some(({type}) => type === 'controllersDown' || type === 'controllersStart')) return nodes;
	const names = new Set(
		changes.flatMap((change) => (change.type === 'cordon' ? [] : (nodeOfChange(change) ?? []))),
	);
	const zones = new Set(nodes.flatMap(({node}) => (names.has(node.name) ? [zoneKey(node)] : [])));
	return nodes.filter(({node}) => zones.has(zoneKey(node)));
}

/** Without taints, the shortest time from a node's turn to not ready until it is queued for eviction. */
function queuedAfter({settings}: Inferred): Duration | undefined {
	const {taintBasedEvictions, podEvictionTimeout, nodeMonitorGracePeriod, nodeMonitorPeriod} = settings;
	return taintBasedEvictions
		? undefined
		: podEvictionTimeout - nodeMonitorGracePeriod - 2 * nodeMonitorPeriod;
}

function* runThrough(
	hypotheses: readonly Hypothesis[],
	supposed: Supposed,
): Pausable<readonly HypothesisTrajectory[]> {
	const lastSigns = supposed.changes.some(({type}) => type === 'nodeDown') ? [0, 1] : [0];
	const followed: HypothesisTrajectory[] = [];
	for (const hypothesis of hypotheses)
		for (const quantile of lastSigns) {
			const trajectory = yield* runTrajectory(hypothesis, quantile, supposed);
			followed.push({trajectory, hypothesis});
		}
	return followed;
}
