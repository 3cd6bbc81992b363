import {isControllerManagerLease} from '../../core/model/lease.ts';
import {type Node, readyStatus} from '../../core/model/node.ts';
import type {ObjectName} from '../../core/model/objectName.ts';
import {isEvictedByKubelet, podKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import {formatTaint, hasTaint} from '../../core/model/taint.ts';
import type {PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../../core/time/instant.ts';
import {deletedIn, type StoreChange} from '../../store/change.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import type {RecordingEntry} from './entry.ts';

/** An event to find in a recording. */
export type Mark = {readonly at: Instant; readonly text: string};

/** Finds events in a recording, entry by entry; the first state contains none. */
export function markFinder() {
	const store = new ClusterStore();
	/** The UIDs of pods that kubelets had evicted by the last look, by node. */
	const evictedOn = new Map<string, ReadonlySet<string>>();
	let leaderSince: Instant | undefined;
	let hasBegun = false;

	const pressureText = (news: PressureNews): string | undefined => {
		if (news.type !== 'looked') return undefined;
		const {node, evicted} = news.look;
		const before = evictedOn.get(node);
		evictedOn.set(node, new Set(evicted.map(({uid}) => uid)));
		const fresh = evicted.find(({uid}) => before && !before.has(uid));
		return fresh && evictionText(node, fresh);
	};

	const changeText = (change: StoreChange): string | undefined => {
		if (change.type === 'nodeApplied') return nodeText(change.before, change.node);
		if (change.type === 'nodeDeleted') return change.before && `node ${change.name} is deleted`;
		if (change.type === 'leaseApplied') {
			if (!isControllerManagerLease(change.lease)) return undefined;
			const {acquireTime} = change.lease;
			const isNew = leaderSince !== undefined && acquireTime !== leaderSince;
			leaderSince = acquireTime;
			return isNew ? 'another controller manager leads' : undefined;
		}
		const pod = deletedIn(change);
		// A StatefulSet deletes pods that a kubelet evicted.
		return (
			pod && (isEvictedByKubelet(pod) ? evictionText(pod.nodeName, pod) : `pod ${podKey(pod)} is deleted`)
		);
	};

	const textOf = (entry: RecordingEntry): string | undefined => {
		if (entry.type === 'problems') return lossText(entry.problems);
		if (entry.type === 'pressure') return pressureText(entry.news);
		if (entry.type !== 'batch' || entry.observations.length === 0) return undefined;
		const isNews = hasBegun && entry.provenance?.type !== 'firstLook';
		const {changes} = store.apply(entry.observations, entry.at);
		const texts = changes.flatMap((change) => changeText(change) ?? []);
		hasBegun = true;
		const [first, ...more] = isNews ? texts : [];
		return first === undefined || more.length === 0 ? first : `${first}, and ${more.length} more`;
	};

	/** The event of this entry, if any: many pods that are deleted at one instant are one event. */
	return (entry: RecordingEntry): Mark | undefined => {
		const text = textOf(entry);
		return text === undefined ? undefined : {at: entry.at, text};
	};
}

const evictionText = (node: string, pod: ObjectName) => `the kubelet of ${node} evicts ${podKey(pod)}`;

function lossText(problems: readonly Problem[]): string | undefined {
	const lost = problems.find(({reason}) => reason === 'ServerUnreachable' || reason === 'WatchInterrupted');
	return lost && (lost.reason === 'ServerUnreachable' ? 'the API server is not heard' : 'not all is seen');
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

const readyWord = (status: string | undefined) =>
	({True: 'Ready', False: 'NotReady', Unknown: 'Unknown'})[status ?? ''] ?? 'unreported';
