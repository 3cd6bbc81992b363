import {isControllerManagerLease} from '../../core/model/lease.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {formatTaint, hasTaint, type Taint} from '../../core/model/taint.ts';
import {pressureConditions} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {RecordingEntry} from './entry.ts';

/** Something that happened, for whoever looks for it in a recording. */
export type Mark = {readonly at: Instant; readonly text: string};

/** Finds what happens in a recording: the first state is none of it. */
export class MarkFinder {
	readonly #nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	/** The UIDs of pods that kubelets had evicted by the last look, by node. */
	readonly #evicted = new Map<string, ReadonlySet<string>>();
	#leaderSince: Instant | undefined;
	#hasBegun = false;

	/** What happened by this entry, at most one mark: many pods that go at one instant are one event. */
	markOf(entry: RecordingEntry): Mark | undefined {
		if (entry.type === 'problems') return this.#problems(entry);
		if (entry.type === 'pressure') return this.#pressure(entry);
		if (entry.type !== 'batch' || entry.observations.length === 0) return undefined;
		const isNews = this.#hasBegun && entry.provenance?.type !== 'firstLook';
		const texts = entry.observations.flatMap((observation) => this.#apply(observation) ?? []);
		this.#hasBegun = true;
		const [first, ...more] = isNews ? texts : [];
		if (first === undefined) return undefined;
		return {at: entry.at, text: more.length === 0 ? first : `${first}, and ${more.length} more`};
	}

	#problems({at, problems}: Extract<RecordingEntry, {type: 'problems'}>): Mark | undefined {
		const lost = problems.find(({reason}) => reason === 'ServerUnreachable' || reason === 'WatchInterrupted');
		return (
			lost && {
				at,
				text: lost.reason === 'ServerUnreachable' ? 'the API server is not heard' : 'not all is seen',
			}
		);
	}

	#pressure({at, news}: Extract<RecordingEntry, {type: 'pressure'}>): Mark | undefined {
		if (news.type !== 'looked') return undefined;
		const {node, evicted} = news.look;
		const before = this.#evicted.get(node);
		this.#evicted.set(node, new Set(evicted.map(({uid}) => uid)));
		const fresh = evicted.find(({uid}) => before && !before.has(uid));
		return fresh && {at, text: `the kubelet of ${node} evicts ${podKey(fresh)}`};
	}

	#apply(observation: Observation): string | undefined {
		switch (observation.type) {
			case 'nodeApplied':
				return this.#node(observation.node);
			case 'nodeDeleted':
				return this.#nodes.delete(observation.name) ? `node ${observation.name} is deleted` : undefined;
			case 'podApplied':
				return this.#pod(observation.pod);
			case 'podDeleted':
				return this.#podGone(podKey(observation));
			case 'leaseApplied': {
				if (!isControllerManagerLease(observation.lease)) return undefined;
				const {acquireTime} = observation.lease;
				const isNew = this.#leaderSince !== undefined && acquireTime !== this.#leaderSince;
				this.#leaderSince = acquireTime;
				return isNew ? 'another controller manager leads' : undefined;
			}
			default:
				return undefined;
		}
	}

	#node(node: Node): string | undefined {
		const before = this.#nodes.get(node.name);
		this.#nodes.set(node.name, node);
		if (!before) return `node ${node.name} is new`;
		const [was, is] = [before, node].map((one) => nodeCondition(one, 'Ready')?.status);
		if (was !== is) return `node ${node.name} turns ${readyWord(is)}`;
		const short = node.conditions.find(({type}) => isShort(node, type) && !isShort(before, type));
		if (short) return `node ${node.name} shows ${short.type}`;
		const added = noExecute(node).find((taint) => !hasTaint(noExecute(before), taint));
		if (added) return `node ${node.name} gets ${formatTaint(added)}`;
		const removed = noExecute(before).find((taint) => !hasTaint(noExecute(node), taint));
		return removed && `node ${node.name} loses ${formatTaint(removed)}`;
	}

	#pod(pod: Pod): string | undefined {
		const key = podKey(pod);
		const before = this.#pods.get(key);
		this.#pods.set(key, pod);
		if (before?.uid !== pod.uid || before.deletionTimestamp !== undefined) return undefined;
		return pod.deletionTimestamp === undefined ? undefined : `pod ${key} is deleted`;
	}

	#podGone(key: string): string | undefined {
		const pod = this.#pods.get(key);
		this.#pods.delete(key);
		// Its deletion was asked for before: that it is gone now is no news.
		return pod && pod.deletionTimestamp === undefined ? `pod ${key} is deleted` : undefined;
	}
}

const conditions: ReadonlySet<string> = new Set(pressureConditions);

const isShort = (node: Node, type: string): boolean =>
	conditions.has(type) && nodeCondition(node, type)?.status === 'True';

const noExecute = ({taints}: Node): readonly Taint[] => taints.filter(({effect}) => effect === 'NoExecute');

const readyWord = (status: string | undefined): string =>
	({True: 'Ready', False: 'NotReady', Unknown: 'Unknown'})[status ?? ''] ?? 'unreported';
