import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode, isUnknownNode, readyCondition, readyStatus} from '../../../core/model/node.ts';
import type {Problem} from '../../../core/model/problem.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../../core/nodelifecycle/nodeLabels.ts';
import {computeZoneState, hidesStop} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import {someOf} from '../../words.ts';
import type {Evidence} from '../evidence.ts';
import {type Interval, wholeSecond} from '../interval.ts';
import {callDuration, passDuration, perCall} from '../latencies.ts';
import {leaseReads} from '../passes/leaseReads.ts';
import {lifecycleTaint, waitsForTaint} from './lifecycleTaint.ts';
import {type NodeEvidence, namesOf} from './nodeEvidence.ts';
import {isReadyAndAlive, isSilent} from './nodeLiveness.ts';

/** How much the clocks of the control plane may differ, and the clock of a kubelet with nothing to compare it with. */
export const skew: Duration = 2 * second;
/** From one pass to the next, with the longest period that people set. */
const longestPass: Duration = 10 * second;
/** Passes between a sign of life and Unknown, in addition to the grace period: one notices the sign, one the silence. */
export const passesUntilUnknown = 2;

type NodesSeen = Readonly<{
	evidence: Pick<Evidence, 'nodes' | 'pods' | 'controllers' | 'controllersStarted'>;
	affected: {readonly nodes: readonly NodeEvidence[]};
	settings: ControllerSettings;
	now: Instant;
}>;

/**
 * The nodes on which the node lifecycle controller does not act, by name: those that are not Unknown long after
 * any grace period, those that have not been ready for long and got no taint, and those that have been for long and keep theirs. If
 * the API server's clock dates the last sign of life of one of the first, or there is one of the others, the controller is off or
 * stuck, and acts on no other node either.
 *
 * @param longestGrace the longest grace period that is possible
 */
export function overlookedNodes(seen: NodesSeen, longestGrace: Duration): ReadonlySet<string> {
	const {affected, settings, evidence, now} = seen;
	const writing = settings.nodeLifecycle ? writingBefore(now, seen) : never;
	const {type} = evidence.controllers.leader(now, {between: (from, until) => until - from});
	if (writing === never || type === 'absent') return new Set();
	const overlooked = affected.nodes.filter((one) => isOverdue(one, seen, longestGrace + writing));
	const tainted = leftTainted(seen, writing);
	const left = [...leftUntainted(seen), ...tainted];
	const isStuck = overlooked.some(({isUndated}) => !isUndated) || left.length > 0;
	const without = isStuck ? affected.nodes.filter(({node}) => !lifecycleTaint(node)) : overlooked;
	return namesOf([...without, ...tainted]);
}

/** Whether a pass should have found a node silent long ago, with some grace period, as far as the controllers were at work. */
export function isOverdue(one: NodeEvidence, seen: NodesSeen, grace: Duration) {
	const {now, settings} = seen;
	const {node, hasWrongClock, isDelayed, leaseTouchedAt} = one;
	const last = lastSignOf(one);
	if (isUnknownNode(node) || !isSilent(one, now) || !last || hasWrongClock || isDelayed) return false;
	// `confirmSilence` spares a node whose lease somebody else wrote.
	if (settings.confirmsSilence && leaseTouchedAt) return false;
	const patience = readyStatus(node) === undefined ? Math.max(grace, settings.nodeStartupGracePeriod) : grace;
	if (now - last.hi - skew <= patience + longestUnnoticed(last, one.heartbeatAt, seen)) return false;
	return seen.evidence.controllersStarted.hi < last.lo - longestPass;
}

/** At every rate that people set, a zone that evicts taints a node within this time. */
const longestTurn: Duration = 20 * minute;

/**
 * The nodes that have not been ready for long and got no taint, though nothing changed in their zone meanwhile, and its state lets
 * it evict, as it does with up to two nodes down unless all zones are. At a rate of 1 a zone that stopped once never does.
 */
function leftUntainted({affected, evidence, settings, now}: NodesSeen): readonly NodeEvidence[] {
	const isOld = (at: Interval | undefined) => at !== undefined && at.hi < now - longestTurn;
	const isCounted = ({node}: NodeEvidence) => !isExcludedFromDisruptionChecks(node, settings);
	const {nodeEvictionRate: rate, unhealthyZoneThreshold} = settings;
	const evicts = settings.taintBasedEvictions && rate * longestTurn >= second && !hidesStop(rate);
	if (!evicts || !isOld(evidence.controllersStarted)) return [];
	const left = affected.nodes.filter((one) => waitsForTaint(one) && isOld(one.readyChangedAt));
	if (left.length === 0) return [];
	const isAnyReady = [...evidence.nodes.values()].some(
		(one) => isReadyNode(one.node) && isOld(one.readyChangedAt) && isCounted(one),
	);
	const byZone = Map.groupBy(evidence.nodes.values(), ({node}) => zoneKey(node));
	return [...Map.groupBy(left, ({node}) => zoneKey(node))].flatMap(([zone, nodes]) => {
		const all = byZone.get(zone) ?? [];
		const isQuiet = all.every((one) => isOld(one.readyChangedAt) && (!one.taintedAt || isOld(one.taintedAt)));
		const counted = all.filter(isCounted);
		const notReady = counted.filter(({node}) => !isReadyNode(node)).length;
		const state = computeZoneState({size: counted.length, notReady}, unhealthyZoneThreshold);
		const isNormal = state === 'Normal' && 2 * notReady < counted.length;
		return isQuiet && (isNormal || (isAnyReady && notReady <= 2)) ? nodes : [];
	});
}

/** A pass takes the taint of a node that is ready, unless it lasts for longer: with many nodes that are back it does. */
const longestUntainting: Duration = 2 * minute;

/** The nodes that have been ready for long, and keep their taint. */
function leftTainted({affected, evidence, settings, now}: NodesSeen, writing: Duration) {
	// A pass that marks pods at the pace of its client may have begun before the node was back.
	const writes = affected.nodes.reduce((sum, {node}) => sum + 2 + evidence.pods.mapOfNode(node.name).size, 0);
	const busy = writing + callsForWrite * perCall(settings) * writes;
	const isOld = (at: Interval | undefined) => at !== undefined && at.hi < now - longestUntainting - busy;
	const isLeft = (one: NodeEvidence) =>
		isReadyAndAlive(one, now) &&
		lifecycleTaint(one.node) !== undefined &&
		isOld(one.readyChangedAt) &&
		isOld(one.taintedAt);
	return settings.taintBasedEvictions && isOld(evidence.controllersStarted)
		? affected.nodes.filter(isLeft)
		: [];
}

/**
 * The last certain sign of life that the controllers saw; each status counts too, and the creation of a node that never posted one.
 * What arrived here late may have reached them earlier, so the kubelet's own times count if they are earlier.
 */
export function lastSignOf({node, renewTime, renewedAt, heartbeatAt}: NodeEvidence): Interval | undefined {
	if (!renewedAt) return readyStatus(node) === undefined ? wholeSecond(node.createdAt) : undefined;
	const renewed = {lo: Math.min(renewedAt.lo, renewTime ?? renewedAt.lo), hi: renewedAt.hi};
	if (!heartbeatAt) return renewed;
	const posted = readyCondition(node)?.lastHeartbeatTime ?? heartbeatAt.lo;
	return {
		lo: Math.max(renewed.lo, Math.min(heartbeatAt.lo, posted)),
		hi: Math.max(renewed.hi, heartbeatAt.hi),
	};
}

/** How much longer than the grace period a silent node stays Ready at most. A status makes the lease look new, a pass later. */
export function longestUnnoticed(
	last: Interval,
	heartbeatAt: Interval | undefined,
	seen: NodesSeen,
): Duration {
	const {settings, evidence} = seen;
	const period = settings.nodeMonitorPeriod + passDuration(evidence.nodes.size).hi + leaseReads(seen);
	const isPosted = heartbeatAt !== undefined && heartbeatAt.hi >= last.lo - 2 * period;
	return (passesUntilUnknown + (isPosted ? 1 : 0)) * period + second;
}

/** Writes of passes are counted for this long before an instant. */
const shortlyBefore: Duration = 30 * second;
/** This many writes, with their unseen calls, fit into the smallest usual bucket. */
const fewWrites = 12;
/** Each counted write brings calls with it that do not show: taints, events, reads. */
const callsForWrite = 4;

/** How long writes may have delayed passes shortly before an instant: `never` if they were not over within that time. */
export function writingBefore(at: Instant, {affected, evidence, settings}: NodesSeen): Duration {
	const writes = affected.nodes.reduce((sum, {node, readyChangedAt}) => {
		const isRecent = readyChangedAt && readyChangedAt.lo <= at && readyChangedAt.hi > at - shortlyBefore;
		return isRecent ? sum + 1 + evidence.pods.mapOfNode(node.name).size : sum;
	}, 0);
	if (writes <= fewWrites) return 0;
	const call = Math.max(callDuration.hi, perCall(settings));
	const writing = callsForWrite * writes * call;
	return writing < shortlyBefore ? writing : never;
}

export const silentFor = (one: NodeEvidence, now: Instant): string =>
	formatDuration(Math.floor((now - (lastSignOf(one)?.hi ?? now)) / second) * second);

const mostNames = 5;

/** Reports a node lifecycle controller that does not act. */
export function overlookedProblems(seen: NodesSeen, overlooked: ReadonlySet<string>): readonly Problem[] {
	if (overlooked.size === 0) return [];
	const {affected, now} = seen;
	const silent = affected.nodes.filter(
		(one) => overlooked.has(one.node.name) && isSilent(one, now) && !isUnknownNode(one.node),
	);
	const [longest] = silent.toSorted((a, b) => (lastSignOf(a)?.hi ?? now) - (lastSignOf(b)?.hi ?? now));
	const untainted = longest ? [] : leftUntainted(seen);
	const tainted = affected.nodes.filter((one) => overlooked.has(one.node.name) && lifecycleTaint(one.node));
	const undoneOn = longest ? silent : untainted.length > 0 ? untainted : tainted;
	const names = someOf(
		undoneOn.map(({node}) => node.name),
		mostNames,
	);
	if (names === '') return [];
	const clock = longest && silent.every(({isUndated}) => isUndated);
	const doubt = clock ? ', or a kubelet renews with a clock that is far behind' : '';
	const undone = longest
		? `of ${names} the last sign of life is up to ${silentFor(longest, now)} old, and the controller sets a node to Unknown long before`
		: untainted.length > 0
			? `${names} got no taint for ${formatDuration(longestTurn)} and more, and the controller taints a node that is not ready long before where its zone evicts`
			: `${names} kept the taint for ${formatDuration(longestUntainting)} and more after becoming ready, and the controller takes it off in its next pass`;
	const message = `the node lifecycle controller seems to be off or stuck${doubt}: ${undone}; when their pods are evicted, if ever, cannot be foretold`;
	return [{reason: 'NodeLifecycleMissing', message}];
}
