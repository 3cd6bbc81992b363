import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Evidence} from './evidence.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {passInProgress} from './passInProgress.ts';
import {isUnknown, type RunningPass, restOfPass, unmarked} from './runningPass.ts';
import type {Suspects} from './suspects.ts';

/** No pass that is not throttled lasts longer. */
const longest: Duration = 30 * second;

/**
 * A pass that was seen turning nodes Unknown a moment ago. It may be through, and have judged the zones; or it may have
 * more nodes and pods to mark, while the zones' queues go on as they were before it.
 */
export function findPassAtWork(
	evidence: Evidence,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): RunningPass | undefined {
	const latest = suspects.nodes
		.filter((one) => isUnknown(one) && turnedAt(one).hi > now - longest)
		.toSorted((a, b) => turnedAt(b).hi - turnedAt(a).hi);
	const marked: NodeEvidence[] = [];
	let wroteAt = now + settings.nodeMonitorPeriod / 2 - passInProgress;
	for (const one of latest) {
		const {lo, hi} = turnedAt(one);
		// Another pass, or one that is through.
		if (wroteAt - lastWrite(one, hi, evidence) > settings.nodeMonitorPeriod / 2) break;
		marked.push(one);
		wroteAt = lo;
	}
	if (marked.length === 0) return undefined;
	const done = {startedAt: wroteAt, marked: marked.toReversed(), left: unmarked(suspects, now)};
	return {...restOfPass(done, evidence, settings), isLong: false};
}

const turnedAt = ({readyChangedAt}: NodeEvidence) => readyChangedAt ?? {lo: -Infinity, hi: -Infinity};

/** When a pass last wrote something of a node: its pods follow it. Their times are whole seconds. */
function lastWrite({node}: NodeEvidence, turned: Instant, {pods}: Evidence): Instant {
	let last = turned;
	for (const {ready, readyChangedAt} of pods.mapOfNode(node.name).values()) {
		if (ready !== 'True' && readyChangedAt !== undefined && readyChangedAt > turned - second)
			last = Math.max(last, readyChangedAt + second);
	}
	return last;
}
