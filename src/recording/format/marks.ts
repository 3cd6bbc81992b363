import {isControllerManagerLease} from '../../core/model/lease.ts';
import {type Node, readyStatus} from '../../core/model/node.ts';
import {isEvictedByKubelet, podKey} from '../../core/model/pod.ts';
import {formatTaint, hasTaint} from '../../core/model/taint.ts';
import {pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../../core/time/instant.ts';
import {deletedIn, type StoreChange} from '../../store/change.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import type {RecordingEntry} from './entry.ts';

/** An event to find in a recording. */
export type Mark = {readonly at: Instant; readonly text: string};

/** Finds events in a recording; the first state contains none. */
export class MarkFinder {
	readonly #store = new ClusterStore();
	/** The UIDs of pods that kubelets had evicted by the last look, by node. */
	readonly #evicted = new Map<string, ReadonlySet<string>>();
	#leaderSince: Instant | undefined;
	#hasBegun = false;

	/** The event of this entry, if any: many pods that are deleted at one instant are one event. */
	markOf(entry: RecordingEntry): Mark | undefined {
		if (entry.type === 'problems') return this.#problems(entry);
		if (entry.type === 'pressure') return this.#pressure(entry);
		if (entry.type !== 'batch' || entry.observations.length === 0) return undefined;
		const isNews = this.#hasBegun && entry.provenance?.type !== 'firstLook';
		const {changes} = this.#store.apply(entry.observations, entry.at);
		const texts = changes.flatMap((change) => this.#textOf(change) ?? []);
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

	#textOf(change: StoreChange): string | undefined {
		switch (change.type) {
			case 'nodeApplied':
				return nodeText(change.before, change.node);
			case 'nodeDeleted':
				return change.before && `node ${change.name} is deleted`;
			case 'leaseApplied': {
				if (!isControllerManagerLease(change.lease)) return undefined;
				const {acquireTime} = change.lease;
				const isNew = this.#leaderSince !== undefined && acquireTime !== this.#leaderSince;
				this.#leaderSince = acquireTime;
				return isNew ? 'another controller manager leads' : undefined;
			}
			default: {
				const pod = deletedIn(change);
				if (!pod) return undefined;
				// A StatefulSet deletes pods that a kubelet evicted.
				return isEvictedByKubelet(pod)
					? `the kubelet of ${pod.nodeName} evicts ${podKey(pod)}`
					: `pod ${podKey(pod)} is deleted`;
			}
		}
	}
}

function nodeText(before: Node | undefined, node: Node): string | undefined {
	if (!before) return `node ${node.name} is new`;
	const [was, is] = [before, node].map((version) => readyStatus(version));
	if (was !== is) return `node ${node.name} turns ${readyWord(is)}`;
	const wereTrue = pressureConditionsOf(before);
	const short = pressureConditionsOf(node).find((condition) => !wereTrue.includes(condition));
	if (short) return `node ${node.name} shows ${short}`;
	const [old, own] = [noExecuteTaints(before), noExecuteTaints(node)];
	const added = own.find((taint) => !hasTaint(old, taint));
	if (added) return `node ${node.name} gets ${formatTaint(added)}`;
	const removed = old.find((taint) => !hasTaint(own, taint));
	return removed && `node ${node.name} loses ${formatTaint(removed)}`;
}

const readyWord = (status: string | undefined): string =>
	({True: 'Ready', False: 'NotReady', Unknown: 'Unknown'})[status ?? ''] ?? 'unreported';
