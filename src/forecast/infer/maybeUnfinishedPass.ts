import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at} from '../observe/interval.ts';
import {passMayLast} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isUnknown, type PassInProgress, restOfPass, unmarked} from './throttledPass.ts';

/** No pass that is not throttled lasts longer. */
const longest: Duration = 30 * second;
/** Times that are told in whole seconds would make one pass of two that are two seconds apart, at either of their ends. */
const middle = 0.5;

/**
 * A pass that was seen turning nodes Unknown a moment ago. It may be through, and have judged the zones; or it may have
 * more nodes and pods to mark, while the zones' queues go on as they were before it.
 */
export function findMaybeUnfinishedPass(
	evidence: Evidence,
	affected: AffectedNodes,
	settings: ControllerSettings,
	now: Instant,
): PassInProgress | undefined {
	const latest = affected.nodes
		.filter((one) => isUnknown(one) && turnedAt(one).hi > now - longest)
		.toSorted((a, b) => turnedAt(b).hi - turnedAt(a).hi);
	const [first] = latest;
	// One that is through.
	if (!first || lastWrite(first, 1, evidence) < now - passMayLast) return undefined;
	const marked: NodeEvidence[] = [];
	let wroteAt = now;
	for (const one of latest) {
		// Another pass.
		if (one !== first && wroteAt - lastWrite(one, middle, evidence) > settings.nodeMonitorPeriod / 2) break;
		marked.push(one);
		wroteAt = at(turnedAt(one), middle);
	}
	const startedAt = Math.min(...marked.map((one) => turnedAt(one).lo));
	const done = {startedAt, marked: marked.toReversed(), left: unmarked(affected, now)};
	return {...restOfPass(done, evidence, settings), isLong: false};
}

const turnedAt = ({readyChangedAt}: NodeEvidence) => readyChangedAt ?? {lo: -Infinity, hi: -Infinity};

/**
 * When a pass last wrote something of a node: its pods follow it, whose times are whole seconds.
 *
 * @param quantile where in each of the times, which are ranges, it lies: 0 at their beginning, 1 at their end
 */
function lastWrite(one: NodeEvidence, quantile: number, {pods}: Evidence): Instant {
	const turned = at(turnedAt(one), quantile);
	let last = turned;
	for (const {ready, readyChangedAt} of pods.mapOfNode(one.node.name).values()) {
		if (ready !== 'True' && readyChangedAt !== undefined && readyChangedAt > turned - second)
			last = Math.max(last, readyChangedAt + second * quantile);
	}
	return last;
}
