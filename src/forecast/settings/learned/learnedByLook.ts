import {ascending} from '../../../core/collections/ascending.ts';
import {isReadyNode, readyCondition, readyStatus} from '../../../core/model/node.ts';
import type {SettingsSpan} from '../../../core/model/settingsSpan.ts';
import {type Duration, minute, never, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {
	isOverdue,
	lastSignOf,
	longestUnnoticed,
	passesUntilUnknown,
	silentFor,
	skew,
	writingBefore,
} from '../../observe/nodes/overlooked.ts';
import type {Observed} from '../../observe/observed.ts';
import type {SeenOfControllers} from '../settingsEvidence.ts';
import {possibleRange} from '../span.ts';
import type {LearnedSetting, SettingDoubt} from './learnedSetting.ts';
import {longestPass} from './pastZones.ts';
import {learnWritePace} from './writePace.ts';
import {zoneDoubts} from './zoneDoubts.ts';

/**
 * Learns from the times in objects what the controllers that run now did: when they turned nodes Unknown after their last sign of
 * life, and when they tainted nodes. Works for one look, and for everything observed until now.
 */
export function learnByLook(observed: Observed, span: SettingsSpan): SeenOfControllers {
	if (!observed.settings.nodeLifecycle) return {learned: {}, doubts: [], bounds: {}, ifDefaults: {}};
	const least = graceByHealthyNodes(observed);
	const grace = graceByLook(observed, least);
	const {learned, doubts, ifDefaults} = zoneDoubts(observed, span);
	const writes = learnWritePace(observed, span);
	return {
		learned: {...(grace.learned && {nodeMonitorGracePeriod: grace.learned}), ...learned, ...writes.learned},
		doubts: [...grace.doubts, ...doubts, ...writes.doubts],
		bounds: {nodeMonitorGracePeriod: [least, null]},
		ifDefaults,
	};
}

/** A shorter time before Unknown is no silence: the node renewed while the pass judged it. */
const shortestSilence: Duration = 8 * second;
/** A younger node has the startup grace period. */
const youngest: Duration = 5 * minute;

/**
 * The grace period is shorter than any time between a sign of life and Unknown: the controller counts from the pass that sees
 * the sign. It is probably not much shorter, but no object shows a pause of the controllers.
 */
function graceByLook(
	observed: Observed,
	leastGrace: Duration,
): {
	readonly learned?: LearnedSetting;
	readonly doubts: readonly SettingDoubt[];
} {
	const {settings, affected, evidence, leader, now} = observed;
	const {nodeMonitorGracePeriod: assumed} = settings;
	const [shortest] = affected.nodes
		.flatMap((one) => silenceOf(one, observed) ?? [])
		.toSorted(ascending(({wait}) => wait.hi));
	if (!shortest) {
		const writing = writingBefore(now, observed);
		const longest = possibleRange('nodeMonitorGracePeriod', 'inDoubt')?.[1] ?? never;
		// No grace period explains a longer silence (`overlookedNodes`).
		const isLate = (one: NodeEvidence) =>
			isReadyNode(one.node) &&
			isOverdue(one, observed, assumed + writing) &&
			!isOverdue(one, observed, longest + writing);
		const late = leader.type === 'running' ? affected.nodes.find(isLate) : undefined;
		return {
			doubts: late
				? [ofGrace(`node ${late.node.name} is Ready ${silentFor(late, now)} after its last sign of life`)]
				: [],
		};
	}
	const {name, wait, last, unknownAt, heartbeatAt} = shortest;
	// The same controllers have been at work since then, as far as their lease shows.
	const wereAtWork = leader.type === 'running' && evidence.controllersStarted.hi < last.lo - longestPass;
	const writing = writingBefore(unknownAt.hi, observed);
	const least =
		wereAtWork && writing === 0
			? Math.max(leastGrace, wait.lo - passesUntilUnknown * longestPass)
			: leastGrace;
	const sentence = `node ${name} turned Unknown ${formatDuration(Math.round(wait.hi / second) * second)} after its last sign of life`;
	return {
		learned: {
			range: [Math.min(least, assumed, wait.hi), wait.hi],
			likely: [Math.max(0, wait.lo - passesUntilUnknown * settings.nodeMonitorPeriod), wait.hi],
			observations: [sentence],
		},
		doubts:
			wereAtWork && wait.lo > assumed + longestUnnoticed(last, heartbeatAt, observed) + writing
				? [ofGrace(sentence)]
				: [],
	};
}

/** A node that has been ready for longer than this was judged by many passes. */
const longReady: Duration = minute;

/** Below this grace period, nodes that stayed ready would have been Unknown between two renewals. */
function graceByHealthyNodes({evidence, now}: Observed): Duration {
	const since = now - longReady;
	if (evidence.controllersStarted.hi > since) return 0;
	return [...evidence.nodes.values()].reduce((least, {node, renewTime, renewInterval, readyChangedAt}) => {
		const stayedReady =
			readyStatus(node) === 'True' && readyChangedAt !== undefined && readyChangedAt.hi < since;
		return stayedReady && renewTime !== undefined ? Math.max(least, renewInterval) : least;
	}, 0);
}

const ofGrace = (seen: string): SettingDoubt => ({about: ['nodeMonitorGracePeriod'], seen});

/** How long the controllers waited before they wrote Unknown, at least and at most; undefined if that is not known. */
function silenceOf(one: NodeEvidence, {evidence}: Observed) {
	const {node, heartbeatAt, readyChangedAt, hasWrongClock, isDelayed} = one;
	const ready = readyCondition(node);
	const last = lastSignOf(one);
	if (ready?.status !== 'Unknown' || !last || !readyChangedAt || hasWrongClock || isDelayed) return undefined;
	if (readyChangedAt.lo < node.createdAt + youngest) return undefined;
	// Others than those that run now may have turned it Unknown.
	if (readyChangedAt.lo <= evidence.controllersStarted.hi) return undefined;
	// Unknown may have arrived here late, too.
	const changedAt = Math.min(readyChangedAt.lo, ready.lastTransitionTime);
	const wait = {lo: changedAt - last.hi - skew, hi: readyChangedAt.hi - last.lo + skew};
	if (wait.hi < shortestSilence) return undefined;
	return {name: node.name, wait, last, unknownAt: readyChangedAt, heartbeatAt};
}
