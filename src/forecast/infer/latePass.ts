import {zoneKey} from '../../core/model/zone.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {throttledPassWrites} from '../observe/passes/throttledPassWrites.ts';
import type {Inferred} from './inferred.ts';
import {callsForPod, isUnknown, latestGroup, toBeMarked} from './throttledPass.ts';

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

/** Everything that depends on it asks for it: it is found once. */
const passes = new WeakMap<PassState, {readonly pass: LatePass | undefined}>();

/** The last throttled pass; undefined where there was none lately. */
export function latePassOf(situation: PassState): LatePass | undefined {
	const known = passes.get(situation) ?? {pass: findLatePass(situation)};
	passes.set(situation, known);
	return known.pass;
}

function findLatePass({passes, evidence, affected, settings, now}: PassState): LatePass | undefined {
	const {kubeApiQps, nodeMonitorPeriod} = settings;
	if (kubeApiQps <= 0) return undefined;
	const marked =
		passes.throttledPass?.marked ?? latestGroup(affected.nodes.filter(isUnknown), evidence, settings, now);
	const writes = throttledPassWrites(marked, evidence, nodeMonitorPeriod);
	if (!writes) return undefined;
	const pods = toBeMarked(marked.slice(-2 * monitorWorkers), evidence).flat().length;
	const marks = pods * callsForPod * (second / kubeApiQps);
	const endsBy = pods > 0 ? now + nodeMonitorPeriod + marks : writes.last + wordOfEnd;
	return {marked, starts: writes.starts, endsBy};
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
