import {ascending} from '../../core/collections/ascending.ts';
import type {Pod} from '../../core/model/pod.ts';
import {notReadyTaint, unreachableTaint} from '../../core/model/taint.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type TolerationOutcome, tolerationOf} from '../observe/countdowns/podTimers.ts';
import {forecastOf, type PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Judgement, judged} from '../verdict.ts';
import {clockTime} from '../words.ts';
import {causeOf} from './judgement.ts';

/**
 * How long after a node's taint its pods may be marked not ready: the controller marks all pods of all silent nodes through
 * one client, about ten per second, while it writes the taint concurrently.
 */
const longestMarking: Duration = 30 * second;

/** Whether no node was ever seen: perhaps only one namespace may be read. */
export const isBlind = ({evidence}: Simulated) => !evidence.observedNodes.hasSeenNodes;

/**
 * Forecasts pods whose nodes cannot be seen; undefined for pods that are bound to none. The only sign of trouble is that the
 * controller marks the pods of a node not ready when it finds that the node is not.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go MarkPodsNotReady
 */
export function unseenForecaster(situation: Simulated): (pod: Pod) => PodForecast | undefined {
	const troubledSince = new Map<string, Instant>();
	for (const {nodeName, markedNotReadyAt: at} of situation.evidence.pods.values()) {
		if (at === undefined) continue;
		troubledSince.set(nodeName, Math.min(at, troubledSince.get(nodeName) ?? at));
	}
	return (pod) => {
		if (pod.nodeName === '') return undefined;
		const since = troubledSince.get(pod.nodeName);
		const {judgement, because} = judge(pod, since, situation);
		return forecastOf(pod, '', {...judgement, because});
	};
}

/**
 * Whether other nodes decide when a node gets its taint, and may not be seen: then the states of zones are open. Nothing stops a
 * countdown that runs.
 */
export const isOpen = ({verdict, cause}: Pick<Judgement, 'verdict' | 'cause'>, {evidence}: Simulated) =>
	evidence.lacksNodes && (verdict === 'Expected' || verdict === 'Held') && cause?.kind !== 'NodeDeleted';

/** What controllers do to a pod: unsure, and without an end, where that is open. */
export const asFarAsSeen = <One extends Judgement>(one: One, situation: Simulated): One =>
	isOpen(one, situation)
		? {
				...one,
				...judged(
					'Unsure',
					one.cause,
					one.eviction && new Range(one.eviction.earliest, one.eviction.expected, null),
				),
			}
		: one;

export const unseenWords =
	'other nodes of its cluster are not seen: the state of its zone, and so the time of its taint, is not known';

type JudgedUnseen = {readonly judgement: Judgement; readonly because: readonly string[]};

function judge(pod: Pod, since: Instant | undefined, {now, settings}: Simulated): JudgedUnseen {
	if (pod.deletionTimestamp !== undefined) {
		return {judgement: judged('Terminating'), because: ['it is already Terminating']};
	}
	const unseen = `node ${pod.nodeName} cannot be seen, nor its taints`;
	const unsure = judged('Unsure');
	if (since === undefined) {
		const quiet = 'no pod of it is marked not ready, as the controller does once it finds a node silent';
		return {judgement: unsure, because: [unseen, quiet]};
	}
	const marked = `pods of it were marked not ready at ${clockTime(since)}, as the controller does once it finds a node silent`;
	const toleration = shortest(pod, settings.comparisonOperators);
	if (toleration.type !== 'limited') {
		const stays = 'it tolerates the taints of dead nodes forever; others cannot be seen';
		return {judgement: unsure, because: [unseen, marked, stays]};
	}
	const {tolerated, taint} = toleration;
	const expected = since + tolerated;
	// The zone's queue, or its stop, decides when the taint comes: neither can be seen.
	const eviction = new Range(expected - longestMarking, expected, null).notBefore(now);
	const goes =
		tolerated === 0
			? 'it does not tolerate the taint that follows'
			: `it tolerates the taint that follows for ${tolerated / second}s; when that comes, the other nodes of the zone decide`;
	const cause = causeOf(taint, tolerated);
	return {judgement: {...unsure, eviction, cause}, because: [unseen, marked, goes]};
}

/** The pod's toleration of the one of the two taints that it tolerates for less time. */
function shortest(pod: Pod, comparisonOperators: boolean): TolerationOutcome {
	const limited = [unreachableTaint, notReadyTaint]
		.map((taint) => tolerationOf(pod, [taint], comparisonOperators))
		.filter((toleration) => toleration.type === 'limited')
		.toSorted(ascending(({tolerated}) => tolerated));
	return limited[0] ?? {type: 'forever'};
}
