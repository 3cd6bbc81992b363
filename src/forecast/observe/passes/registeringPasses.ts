import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../../core/model/node.ts';
import {type Instant, second} from '../../../core/time/instant.ts';
import type {Registration} from '../eventEvidence.ts';
import type {Interval} from '../interval.ts';
import {reportedCallDuration} from '../latencies.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import {callsToClear} from './passCalls.ts';
import type {PassObservation} from './passObservations.ts';

/** The calls of the first pass of new controllers: it registers all nodes, and removes the taints of those that have any. */
export function callsOfFirstPass(nodes: Iterable<NodeEvidence>, at: Interval): number {
	let [met, cleared] = [0, 0];
	for (const one of nodes) {
		if (one.node.createdAt > at.hi) continue;
		met += 1;
		if (wasDown(one, at.lo)) cleared += 1;
	}
	// Events use the client too.
	return cleared === 0 ? 0 : cleared * callsToClear + met;
}

/** When a pass that registered nodes began, allowing for taints that it may have removed unseen before. */
export function beganWith(
	{first, nodes}: Registration,
	known: Iterable<NodeEvidence>,
	{kubeApiQps}: ControllerSettings,
): Interval {
	let unseen = 0;
	for (const one of known) {
		const {name, createdAt} = one.node;
		if (createdAt <= first.at.hi && !nodes.has(name) && !wasReadySince(one, first.at.lo)) unseen += 1;
	}
	const perCall = reportedCallDuration + (kubeApiQps > 0 ? second / kubeApiQps : 0);
	return {lo: first.at.lo - unseen * callsToClear * perCall, hi: first.at.hi};
}

/** A pass that only registered new nodes, as an observation. */
export const observationOfNewNodes = (pass: Registration): PassObservation => ({
	at: pass.first.at,
	calls: 0,
	isFirst: true,
	source: registrationSource(pass),
});

/** The source of a registration, in words. */
export const registrationSource = ({first}: Registration): string =>
	`the event RegisteredNode of node ${first.event.about}`;

/** Whether a node has certainly been ready since an instant. */
const wasReadySince = ({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean =>
	isReadyNode(node) && (readyChangedAt === undefined || readyChangedAt.hi < instant);

/** Whether a node was probably down at an instant, and so had a taint. */
function wasDown({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean {
	if (!readyChangedAt) return !isReadyNode(node);
	const isReady = isReadyNode(node);
	return isReady ? readyChangedAt.hi >= instant : readyChangedAt.lo <= instant;
}
