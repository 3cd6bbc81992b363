import {zoneKey} from '../../core/model/zone.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {throttledPassWrites} from '../observe/passes/throttledPassWrites.ts';
import type {Inferred} from './inferred.ts';
import {callsForPod, isUnknown, latestGroup, toBeMarked} from './throttledPass.ts';

/** A long pass that turned nodes Unknown a while ago: it may still mark their pods, and judge the zones when it is done. */
export type LatePass = {
	/** The nodes that it, or the one just before it, turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** When it, and those before it that marked these nodes, began, the latest first: a whole period without a word lies before each. */
	readonly starts: readonly Instant[];
	/** By when it has ended, once it has come to all nodes. */
	readonly endsBy: Instant;
};

/** What is known of the passes and the nodes that they come to. */
export type PassState = Pick<Inferred, 'passes' | 'evidence' | 'affected' | 'settings' | 'now'>;

/** What the last word of a pass may take to show, and times of whole seconds hide. */
const wordOfEnd: Duration = 1.5 * second;

/** Everything that depends on it asks for it: it is found once. */
const passes = new WeakMap<PassState, {readonly pass: LatePass | undefined}>();

/** The last pass that throttling may have made long; undefined where none was lately. */
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
 * The most nodes of a zone that may be in its queue though they have their taint: a long pass that comes to a node
 * knows it as it was when the pass began, and queues it once more. Each takes a token for nothing, and gets its taint
 * anew with it: one that got it after the last of these passes is not queued any more.
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
