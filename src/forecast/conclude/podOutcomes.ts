import {type Pod, podKey} from '../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {throttleDelayFor, throttledEnds} from '../observe/countdowns/deletionThrottleDelay.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import type {Change} from '../simulate/change.ts';
import {type History, historiesOf} from '../simulate/history.ts';
import type {Question} from '../simulate/runTrajectory.ts';
import {goesBySyntheticTaint} from '../simulate/syntheticTaint.ts';
import {taintUncertaintiesIn} from '../simulate/taintUncertainty.ts';
import type {TaintMoment, Trajectory} from '../simulate/trajectory.ts';
import type {Trial} from '../simulate/trials.ts';
import {type Collection, collectionOf} from './collection.ts';
import {overdueAfter} from './judgement.ts';
import {throttleDelayWithoutTaints} from './podEviction.ts';
import {type PodOutcome, PodOutcomeMerger} from './podOutcome.ts';
import {deletionIn, type PodMoment, type PodStart, podMoments} from './podTimeline.ts';

type Variant = {readonly early: PodStart; readonly late: PodStart};

/** Finds what becomes of pods, from the trajectories of their nodes. */
export class PodOutcomes {
	readonly #question: Question;
	readonly #histories = new Map<string, readonly History[]>();
	readonly #collections = new Map<string, Collection | undefined>();
	readonly #known = new Map<string, PodOutcome>();

	/** @param gap how far apart the instants of a pass lie that were tried */
	constructor(question: Question, trials: readonly Trial[], gap: Duration) {
		this.#question = question;
		const {affected, focus, situation} = question;
		const withoutTaints = !situation.settings.taintBasedEvictions;
		for (const {trajectories, groups: all} of trials) {
			const groups = focus ? all.filter(({nodes}) => nodes.includes(focus.node)) : all;
			for (const trajectory of trajectories) {
				// How late a deletion may be is of no interest where it is asked whether there is one.
				const lines = focus ? new Map<string, Duration>() : this.#linesIn(trajectory);
				const uncertaintyOf =
					focus || withoutTaints ? () => undefined : taintUncertaintiesIn(trajectory, situation);
				for (const group of groups) {
					const lineOf = (node: string) => lines.get(node) ?? 0;
					const uncertainty = uncertaintyOf(group.zone);
					const histories = historiesOf(group, trajectory, gap, lineOf, uncertainty, withoutTaints);
					for (const node of group.nodes)
						this.#histories.set(node, [...(this.#histories.get(node) ?? []), ...histories]);
				}
			}
		}
		for (const {node} of affected.nodes) this.#collections.set(node.name, this.#collectionFor(node.name));
	}

	/** What becomes of a pod of one of the question's nodes. */
	of(pod: Pod): PodOutcome {
		const timer = this.#timerOf(pod);
		const moments = this.#ownMoments(pod);
		const kind = JSON.stringify([
			pod.nodeName,
			pod.tolerations,
			goesBySyntheticTaint(pod),
			timer && [timer.fires, timer.taint, timer.tolerated],
			moments.some(({type}) => type === 'tolerations') && podKey(pod),
		]);
		const known = this.#known.get(kind) ?? this.#find(pod, timer, moments);
		this.#known.set(kind, known);
		return known;
	}

	#find(pod: Pod, timer: PodTimer | undefined, own: readonly PodMoment[]): PodOutcome {
		const {settings} = this.#question.situation;
		const starts = this.#startsOf(pod, timer);
		const mayGo = settings.taintEviction || !settings.taintBasedEvictions;
		const collection = this.#collections.get(pod.nodeName);
		const merger = new PodOutcomeMerger(collection);
		for (const {early, late, line} of this.#histories.get(pod.nodeName) ?? []) {
			const first = mayGo ? deletionIn(starts.early, inOrder(own, early)) : undefined;
			const last = late && mayGo ? deletionIn(starts.late, inOrder(own, late)) : undefined;
			merger.add(first, last, line);
		}
		return merger.outcome(this.#question.situation.now);
	}

	#startsOf(pod: Pod, timer: PodTimer | undefined): Variant {
		const {tolerations} = pod;
		const {leader, settings} = this.#question.situation;
		const {taint, tolerated, fires} = timer ?? {};
		const {comparisonOperators, taintEviction: goesByTaint} = settings;
		const goesWithNode = !settings.taintBasedEvictions && goesBySyntheticTaint(pod);
		const isControlled = leader.type !== 'absent';
		const start = {
			tolerations,
			taint,
			tolerated,
			isControlled,
			comparisonOperators,
			goesWithNode,
			goesByTaint,
		};
		return {early: {...start, fires: fires?.lo}, late: {...start, fires: fires?.hi}};
	}

	/** A countdown that should have led to a deletion long ago is none, nor is one that nobody keeps. */
	#timerOf(pod: Pod): PodTimer | undefined {
		const {evidence, now, delayOfDue, settings} = this.#question.situation;
		if (!settings.taintEviction) return undefined;
		const timer = evidence.timers.get(pod);
		return timer && timer.fires.hi + overdueAfter + delayOfDue >= now ? timer : undefined;
	}

	/** What happens to a pod apart from its node's taints. */
	#ownMoments(pod: Pod): readonly PodMoment[] {
		const key = podKey(pod);
		return this.#question.changes.flatMap((change: Change): readonly PodMoment[] => {
			if (change.type === 'controllersDown' || change.type === 'controllersStart')
				return [{at: change.at, type: change.type}];
			if (change.type !== 'tolerations' || change.pod !== key) return [];
			return [{at: change.at, type: 'tolerations', tolerations: change.tolerations}];
		});
	}

	#collectionFor(node: string): Collection | undefined {
		const {changes, situation} = this.#question;
		const {evidence, leader, settings} = situation;
		const goneAt = changes.find((change) => change.type === 'deleteNode' && change.node === node)?.at;
		if (goneAt === undefined) return undefined;
		const calls = 2 * evidence.pods.mapOfNode(node).size + 1;
		const line = (Math.max(0, calls - settings.kubeApiBurst) / (settings.kubeApiQps || 50)) * second;
		return collectionOf(goneAt, changes, leader.type !== 'absent', line);
	}

	/** How long the pods of each node may wait for those that are deleted with them, in one trajectory. */
	#linesIn(trajectory: Trajectory): ReadonlyMap<string, Duration> {
		const {affected, situation} = this.#question;
		const {evidence, settings} = situation;
		const {kubeApiQps, kubeApiBurst} = settings;
		if (!settings.taintBasedEvictions)
			return new Map(
				affected.nodes.map((one) => [one.node.name, throttleDelayWithoutTaints(one, situation)]),
			);
		const pods = affected.nodes.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
		if (throttleDelayFor(pods, kubeApiQps, kubeApiBurst) === 0) return new Map();
		const due: {readonly node: string; readonly at: Instant}[] = [];
		for (const {node} of affected.nodes) {
			const taints = trajectory.nodes.get(node.name)?.taints ?? [];
			const kinds = new Map<unknown, Instant | undefined>();
			for (const pod of evidence.pods.onNode(node.name)) {
				const timer = this.#timerOf(pod);
				const kind = timer?.fires.hi ?? pod.tolerations;
				if (!kinds.has(kind)) {
					const own = this.#ownMoments(pod);
					kinds.set(kind, deletionIn(this.#startsOf(pod, timer).late, inOrder(own, taints))?.at);
				}
				const at = kinds.get(kind);
				if (at !== undefined && pod.deletionTimestamp === undefined) due.push({node: node.name, at});
			}
		}
		due.sort((a, b) => a.at - b.at);
		const ends = throttledEnds(
			due.map(({at}) => at),
			kubeApiQps,
			kubeApiBurst,
		);
		const lines = new Map<string, Duration>();
		for (const [index, {node, at}] of due.entries()) {
			lines.set(node, Math.max(lines.get(node) ?? 0, (ends[index] ?? at) - at));
		}
		return lines;
	}
}

/** What controllers do is done before what they then do to a node. */
const inOrder = (own: readonly PodMoment[], taints: readonly TaintMoment[]): readonly PodMoment[] =>
	own.length === 0 ? podMoments(taints) : [...own, ...podMoments(taints)].toSorted((a, b) => a.at - b.at);
