import {zoneKey} from '../../core/model/zone.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodeEvidence.ts';
import {passWrites} from '../observe/passWrites.ts';
import type {Inferred} from './inferred.ts';
import {callsForPod, isUnknown, latestGroup, toBeMarked} from './runningPass.ts';

/** A long pass that turned nodes Unknown a while ago: it may still mark their pods, and judge the zones when it is done. */
export type LatePass = {
	/** The nodes that it, or the one just before it, turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** Since when it may have been at work: a whole period without a word lies before it. */
	readonly began: Instant;
	/** By when it has ended, once it has come to all nodes. */
	readonly endsBy: Instant;
};

/** What the last word of a pass may take to show, and times of whole seconds hide. */
const wordOfEnd: Duration = 1.5 * second;

/** Everything that depends on it asks for it: it is found once. */
const passes = new WeakMap<Inferred, {readonly pass: LatePass | undefined}>();

/** The last pass that throttling may have made long; undefined where none was lately. */
export function latePassOf(situation: Inferred): LatePass | undefined {
	const known = passes.get(situation) ?? {pass: findLatePass(situation)};
	passes.set(situation, known);
	return known.pass;
}

function findLatePass({passes, evidence, affected, settings, now}: Inferred): LatePass | undefined {
	const {kubeApiQps, nodeMonitorPeriod} = settings;
	if (kubeApiQps <= 0) return undefined;
	const marked =
		passes.runningPass?.marked ?? latestGroup(affected.nodes.filter(isUnknown), evidence, settings, now);
	const writes = passWrites(marked, evidence, nodeMonitorPeriod);
	if (!writes) return undefined;
	const pods = toBeMarked(marked.slice(-2 * monitorWorkers), evidence).flat().length;
	const marks = pods * callsForPod * (second / kubeApiQps);
	const endsBy = pods > 0 ? now + nodeMonitorPeriod + marks : writes.last + wordOfEnd;
	return {marked, began: writes.first, endsBy};
}

/**
 * The most nodes of a zone that may be in its queue though they have their taint: a long pass that comes to a node
 * knows it as it was when the pass began, and queues it once more. Each takes a token for nothing.
 */
export function queuedForNothing(zone: string, situation: Inferred): number {
	const pass = latePassOf(situation);
	if (!pass) return 0;
	return pass.marked.filter(
		({node, taintedAt, readyChangedAt}) =>
			zoneKey(node) === zone &&
			taintedAt !== undefined &&
			taintedAt.hi >= pass.began &&
			(readyChangedAt?.lo ?? 0) < pass.began,
	).length;
}
