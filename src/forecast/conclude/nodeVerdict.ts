import {minOf} from '../../core/collections/extremes.ts';
import {type ConditionStatus, readyStatus} from '../../core/model/node.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {NodeForecast, NodeVerdict} from '../nodeForecast.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {clockTolerance} from '../observe/latencies.ts';
import {lastRenewal} from '../observe/nodes/leaseEvidence.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isBackUnposted, isOnlyLate, isSilent, isUnheard} from '../observe/nodes/nodeLiveness.ts';
import type {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {Concluded} from './concluded.ts';
import {mergeCleared, mergeTaint} from './nodeTaint.ts';
import {openEnded, slackOf, turnsUnknown} from './nodeTurn.ts';

/** Forecasts one node, without the reasons. */
export function judgeNode(one: NodeEvidence, situation: Concluded): NodeForecast {
	const {node} = one;
	const ready = readyStatus(node);
	const verdict = nodeVerdictOf(one, situation);
	const zone = zoneKey(node);
	const {settings} = situation;
	const {nodeLifecycle} = settings;
	const mayFall = verdict === 'Silent' || verdict === 'Late' || ready === undefined;
	const isTainted = lifecycleTaint(node) !== undefined;
	const isComing = nodeLifecycle && !isTainted && (mayFall || isWaiting(verdict, situation));
	const slack = slackOf(situation.passes);
	const unknown = mayFall ? turnsUnknown(one, situation) : undefined;
	// The release of a held node is found by a pass too.
	const isByPass = mayFall || verdict === 'Held';
	const taint = isComing ? mergeTaint(situation.runs, node.name, isByPass ? slack : 0) : undefined;
	return {
		name: node.name,
		uid: node.uid,
		labels: node.labels,
		node,
		zone: zoneLabel(zone),
		verdict,
		...(ready === undefined ? {} : {ready}),
		lastRenewal: (one.hasWrongClock ? undefined : lastRenewal(one)) ?? null,
		isSilent: isSilent(one, situation.now),
		unknown: unknown?.range ?? null,
		noExecute: settings.taintBasedEvictions
			? openEnded(sinceBriefTaint(taint?.range ?? null, node.name, situation), node.name, situation)
			: null,
		...(isTainted && nodeLifecycle && {cleared: clearedOf(one, situation)}),
		...(!settings.taintBasedEvictions && {
			eviction: openEnded(taint?.range ?? null, node.name, situation),
		}),
		nextProbability:
			verdict === 'Queued' && hasRuns(situation) ? situation.queues.nextProbabilityOf(one) : null,
		taints: noExecuteTaints(node).map(({key}) => key),
		because: [],
	};
}

/** Whether a node may get its taint without another turn; a held node may if its zone is about to evict again. */
function isWaiting(verdict: NodeVerdict, {leader}: Simulated) {
	if (verdict === 'Held') return leader.type !== 'absent';
	return verdict === 'Queued' || verdict === 'NotReady' || verdict === 'Unknown' || verdict === 'Recovering';
}

/** When a node first gets a taint that it may have briefly, before it gets it to stay. */
function sinceBriefTaint(taint: Range | null, node: string, {runs, passes}: Simulated): Range | null {
	if (!taint) return null;
	const starts = runs.flatMap(({brief}) => (brief.get(node) ?? []).map(({from}) => from));
	return taint.since(minOf(starts) - clockTolerance - passes.phaseSpacing);
}

const clearedOf = (one: NodeEvidence, situation: Simulated) => {
	const {runs, passes, evidence} = situation;
	const {range} = mergeCleared(runs, passes.phaseSpacing, one, evidence.controllersStarted);
	return openEnded(range, one.node.name, situation);
};

function nodeVerdictOf(one: NodeEvidence, situation: Concluded): NodeVerdict {
	const {node} = one;
	const {settings, now} = situation;
	const status = readyStatus(node);
	const isTainted = settings.taintBasedEvictions && lifecycleTaint(node) !== undefined;
	if (status === 'True') {
		if (isSilent(one, now)) return 'Silent';
		if (isTainted) return 'Recovering';
		if (isUnheard(one)) return 'Unsure';
		return isOnlyLate(one, now) ? 'Late' : 'Healthy';
	}
	if (isBackUnposted(one, now)) return 'Recovering';
	if (!settings.taintBasedEvictions) return verdictWithoutTaints(one, status, situation);
	if (isTainted) return 'Tainted';
	if (stopOfNode(one, situation)) return 'Held';
	return status === undefined ? 'NotReady' : 'Queued';
}

/** The first look at a large cluster has no runs. */
const hasRuns = ({runs}: Simulated) => runs.length > 0;

/** What stops the taint of a node that has none: the stop of its zone, or a coming stop if nothing taints it before. */
export function stopOfNode({node}: NodeEvidence, situation: Simulated): Stop | undefined {
	const zone = zoneKey(node);
	const mayBeTainted = !hasRuns(situation) || mergeTaint(situation.runs, node.name, 0).range !== null;
	return mayBeTainted ? situation.stops.of(zone) : situation.stops.nowOrToCome(zone);
}

/** Without taints, a node that is not ready is queued once its timeout ends, and evicted when it gets a token. */
function verdictWithoutTaints(
	one: NodeEvidence,
	status: ConditionStatus | undefined,
	situation: Concluded,
): NodeVerdict {
	if (hasEvictionStarted(one, situation.affected.evictionStarts, situation.settings)) return 'Evicted';
	const stop = situation.stops.of(zoneKey(one.node));
	const isWaiting = situation.queues.has(one);
	if (stop && (isWaiting || stop.kind !== 'ZoneStopped')) return 'Held';
	if (isWaiting) return 'Queued';
	return status === 'Unknown' ? 'Unknown' : 'NotReady';
}
