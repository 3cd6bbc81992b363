import {ascending} from '../../../core/collections/ascending.ts';
import {compareValues} from '../../../core/collections/compareValues.ts';
import {kept} from '../../../core/collections/kept.ts';
import {isReadyNode, readyCondition} from '../../../core/model/node.ts';
import {rateMargin, type SettingsSpan} from '../../../core/model/settingsSpan.ts';
import {defaultSettings} from '../../../core/model/versionProfile.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {turnedBy, turnedUnknown} from '../../infer/passInProgress.ts';
import {markedAt} from '../../observe/countdowns/referencePods.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../observe/observed.ts';
import {callsToMark} from '../../observe/passes/passCalls.ts';
import type {LearnedSettings, SettingDoubt} from './learnedSetting.ts';

/** A time in which some worker of a pass marked pods all the time, so that the client was never idle, and the calls then. */
type BusyTime = {readonly from: Instant; until: Instant; readonly calls: Calls[]};

/** Calls that were seen: at least, and at most with events and taints. */
type Calls = {readonly at: Instant; readonly least: number; readonly most: number};

/** A shorter time, or fewer calls, show no pace: calls are dated to a second. */
const [shortest, fewest]: readonly [Duration, number] = [6 * second, 40];
/** A worker waits no longer for its turn. */
const longestTurn: Duration = 20 * second;
/** By then a busy client has used up what it may do at once. */
const atOnce: Duration = 3 * second;
/** Events of before, and calls for taints. */
const otherCalls = 12;
/** A status, and a read and a write for the NoSchedule taint. */
const leastForNode = 3;
/** The workers of a pass take turns with what posts their events. */
const leastForPod = 1 + 1 / 8;
/** The latest nodes show the pace. */
const mostNodes = 100;
/** What a client may do at once is usually no more than it does in this many seconds. */
const usualBurst = 2;

const nothingLearned = {learned: {}, doubts: []};

/**
 * Learns how many calls a second the client of the controllers makes that run now: their passes mark the pods of lost nodes one after
 * another. A slow API server looks alike, so that a low pace does not exclude the default.
 */
export function learnWritePace(
	observed: Observed,
	{usual}: SettingsSpan,
): {
	readonly learned: LearnedSettings;
	readonly doubts: readonly SettingDoubt[];
} {
	const {kubeApiQps: assumed, kubeApiBurst: burst} = defaultSettings;
	const [longest] = busyTimes(observed).toSorted((a, b) => b.until - b.from - (a.until - a.from));
	if (!longest || usual.kubeApiQps <= 0) return nothingLearned;
	const {from, until, calls} = longest;
	// Nobody sees any more which pods of a node that is back were marked.
	const isBack = ({node, readyChangedAt}: NodeEvidence) =>
		isReadyNode(node) && (readyChangedAt?.hi ?? 0) >= from;
	if (observed.affected.nodes.some(isBack)) return nothingLearned;
	const sumOf = (end: 'least' | 'most', since: Instant) =>
		calls.reduce((sum, one) => sum + (one.at >= since ? one[end] : 0), 0);
	const least = sumOf('least', from);
	const lasted = (until - from) / second;
	if (until - from < shortest || least < fewest) return nothingLearned;
	const slowest = Math.max(1, (sumOf('least', from + atOnce) - 1) / (lasted + 1 - atOnce / second));
	const fastest = (sumOf('most', from) + otherCalls) / (lasted - 1);
	const likely = [slowest, (least + otherCalls) / (lasted - 1)] as const;
	const seen = `${Math.round(least)} writes of a pass took ${Math.round(lasted)}s`;
	const observations = [seen];
	// Pods that are gone since may have been marked, too.
	const isSlow = fastest * rateMargin < assumed;
	const atOnceAtMost = {range: [1, burst], likely: [slowest, usualBurst * likely[1]], observations} as const;
	return {
		learned: {
			kubeApiQps: {range: [slowest, Math.max(fastest, assumed)], likely, observations},
			...(isSlow && {kubeApiBurst: atOnceAtMost}),
		},
		doubts: isSlow
			? [
					{about: ['kubeApiQps'], seen},
					{about: ['kubeApiBurst'], seen},
				]
			: [],
	};
}

/** From when a node turned Unknown until the last of its pods was marked, for the latest nodes. */
function busyTimes({evidence, ...observed}: Observed): readonly BusyTime[] {
	const mostForNode = callsToMark(0, observed.settings);
	const latest = turnedUnknown({...observed, evidence})
		.toSorted(ascending(turnedBy))
		.slice(-mostNodes);
	const ofNodes = latest.flatMap(({node}): readonly BusyTime[] => {
		const at = readyCondition(node)?.lastTransitionTime;
		if (at === undefined) return [];
		const marks = evidence.pods.onNode(node.name).flatMap((pod) => markedAt(pod, at) ?? []);
		const calls = [{at, least: leastForNode, most: mostForNode}];
		for (const mark of marks.sort(compareValues)) {
			if (mark - (calls.at(-1)?.at ?? mark) > longestTurn) break;
			calls.push({at: mark, least: leastForPod, most: 1});
		}
		return [{from: at, until: calls.at(-1)?.at ?? at, calls}];
	});
	const times: BusyTime[] = [];
	for (const {from, until, calls} of ofNodes.toSorted(ascending(({from}) => from))) {
		const last = times.at(-1);
		if (last && from <= last.until + second) {
			last.until = Math.max(last.until, until);
			last.calls.push(...calls);
		} else times.push({from, until, calls: [...calls]});
	}
	return times.map((time) => ({...time, calls: withEvents(time.calls, ofNodes)}));
}

/** Adds the events: one while each worker at work marks a pod. */
function withEvents(calls: readonly Calls[], ofNodes: readonly BusyTime[]): Calls[] {
	const workers = new Map<Instant, number>();
	const workersAt = (at: Instant) =>
		kept(workers, at, () => ofNodes.filter(({from, until}) => from <= at && at <= until).length);
	return calls.map((one) => ({...one, most: one.most + 1 / workersAt(one.at)}));
}
