import {zoneKey} from '../../core/model/zone.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type ThrottledPassWrites, throttledPassWrites} from '../observe/passes/throttledPassWrites.ts';
import {once} from '../once.ts';
import type {Inferred} from './inferred.ts';
import {leaseReads} from './leaseReads.ts';
import {callsForPod, latestGroup, mayGoOn, toBeMarked, turnedUnknown} from './throttledPass.ts';

/** A throttled pass that turned nodes Unknown some time ago. It may still mark their pods, and judge the zones at its end. */
export type LatePass = {
	/** The nodes that it, or the one just before it, turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** When it and the passes before it that marked these nodes began, the latest first. */
	readonly starts: readonly Instant[];
	/** The latest instant at which it ends. */
	readonly endsBy: Instant;
};

/** What is known of the passes and of the nodes that they check. */
export type PassState = Pick<Inferred, 'passes' | 'evidence' | 'affected' | 'settings' | 'now'>;

/** How long after its last write a pass may still be in progress: API times are truncated, and a watch takes its time. */
const wordOfEnd: Duration = 1.5 * second;

/** The last throttled pass; undefined where there was none lately. */
export const latePassOf = (state: PassState): LatePass | undefined => once(findLatePass, state);

function findLatePass(state: PassState): LatePass | undefined {
	const {passes, evidence, affected, settings, now} = state;
	const {kubeApiQps, nodeMonitorPeriod} = settings;
	if (kubeApiQps <= 0) return undefined;
	const marked =
		passes.throttledPass?.marked ?? latestGroup(turnedUnknown(affected, evidence), evidence, settings);
	const writes = passes.throttledPass
		? writesOf(state)
		: throttledPassWrites(marked, evidence, nodeMonitorPeriod);
	if (!writes) return undefined;
	const goesOn = passes.throttledPass !== undefined || mayGoOn(marked, evidence, settings, now);
	const pods = goesOn ? toBeMarked(marked.slice(-2 * monitorWorkers), evidence).flat().length : 0;
	const marks = pods * callsForPod * (second / kubeApiQps);
	const endsBy =
		pods > 0
			? now + nodeMonitorPeriod + marks
			: writes.last + wordOfEnd + leaseReads(affected, settings, now);
	// What it queued for nothing takes the first tokens after the next pass: no more of them than came while it lasted.
	const lastsUntil = endsBy + (endsBy - writes.first) + nodeMonitorPeriod;
	return goesOn || now <= lastsUntil ? {marked, starts: writes.starts, endsBy} : undefined;
}

/** When the throttled pass in progress wrote; undefined where no such pass is. */
export const writesOf = (state: PassState): ThrottledPassWrites | undefined => once(findWrites, state);

function findWrites({passes, evidence, settings}: PassState): ThrottledPassWrites | undefined {
	const marked = passes.throttledPass?.marked;
	return marked && throttledPassWrites(marked, evidence, settings.nodeMonitorPeriod);
}

/** The nodes that the pass in progress has turned Unknown, and until when no other pass can begin. */
type PassOrder = {readonly marked: ReadonlySet<NodeEvidence>; readonly lastsUntil: Instant};

/** The order in which a throttled pass turned nodes Unknown; undefined where no such pass is in progress. */
export const passOrderOf = (state: PassState): PassOrder | undefined => once(findOrder, state);

function findOrder(state: PassState): PassOrder | undefined {
	const marked = state.passes.throttledPass?.marked;
	const writes = writesOf(state);
	if (!marked || !writes) return undefined;
	return {
		marked: new Set(marked.filter(({readyChangedAt}) => (readyChangedAt?.lo ?? 0) >= writes.first)),
		lastsUntil: writes.last + state.settings.nodeMonitorPeriod,
	};
}

/**
 * How many tainted nodes of a zone may still be in its queue, at most. A long pass checks a node as it was when the pass
 * began, and queues it again though it was tainted since. Each such node takes a token for nothing.
 */
export function queuedForNothing(zone: string, situation: PassState): number {
	const pass = latePassOf(situation);
	if (!pass) return 0;
	return pass.marked.filter(({node, taintedAt, readyChangedAt}) => {
		if (zoneKey(node) !== zone || !taintedAt || taintedAt.lo > pass.endsBy) return false;
		const began = pass.starts.find((start) => start <= taintedAt.hi);
		return began !== undefined && (readyChangedAt?.lo ?? 0) < began;
	}).length;
}
