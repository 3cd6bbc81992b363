import {kept} from '../core/collections/kept.ts';
import {mapBy} from '../core/collections/mapBy.ts';
import {isControllerManagerLease, type Lease} from '../core/model/lease.ts';
import {namesInKey, podKey} from '../core/model/pod.ts';
import {workloadOf} from '../core/model/workloads/workload.ts';
import {type Duration, type Instant, oldestFirst, second} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {type KubeletEviction, kubeletEvictions} from '../forecast/ledger/kubeletEvictions.ts';
import {missedBy, newestBefore, type Prediction} from '../forecast/ledger/prediction.ts';
import {PredictionLedger} from '../forecast/ledger/predictionLedger.ts';
import type {Judged} from '../forecast/ledger/score.ts';
import {type PodForecast, willBeEvicted} from '../forecast/podForecast.ts';
import {stopInBrief} from '../forecast/words.ts';
import type {StoreChange} from '../store/change.ts';
import type {ClusterStore, StoreUpdate} from '../store/clusterStore.ts';
import {NodeStories} from './nodeStories.ts';
import type {
	AddEvent,
	AvertedEviction,
	Eviction,
	EvictionByKubelet,
	HeldTime,
	JudgedPrediction,
	Mutable,
	Outage,
	OutageEvent,
} from './outage.ts';

/** Gaps shorter than this are not reported, because every reconnection leaves one. */
const shortestReportedGap: Duration = 2 * second;

type ReportHead = Pick<
	Outage,
	'title' | 'file' | 'kubernetesVersion' | 'from' | 'to' | 'timeZone' | 'problems' | 'workloads' | 'settings'
>;

/** Collects an outage from all observations and the forecasts made meanwhile. */
export class ReportBuilder {
	readonly #happenings: OutageEvent[] = [];
	readonly #report: AddEvent = (at, kind, text) => this.#happenings.push({at, kind, text});
	readonly #nodes = new NodeStories(this.#report);
	readonly #held = new HeldTimes(this.#report);
	readonly #keeper: PredictionLedger;
	readonly #evictions: Mutable<Eviction>[] = [];
	/** The last forecast of each affected pod, by UID. */
	readonly #lastForecasts = new Map<string, PodForecast>();
	/** When an eviction was first predicted, for pods that were not deleted yet. */
	readonly #firstPredictedAt = new Map<string, Instant>();
	readonly #zones = new Map<string, string>();
	readonly #kubelets = kubeletEvictions();
	#beganAt: Instant | undefined;
	#others = 0;
	#leaderSince: Instant | undefined;
	#lostSince: Instant | undefined;
	#last: Forecast | undefined;
	#hasBegun = false;
	readonly #store: ClusterStore;
	nodeCount = 0;

	/** @param store has each batch applied before `take` is called */
	constructor(store: ClusterStore) {
		this.#store = store;
		this.#keeper = new PredictionLedger(store, (deletion) => this.#deleted(deletion));
	}

	take(update: StoreUpdate) {
		const {changes, arrivedAt: at, provenance} = update;
		if (provenance?.type === 'watchLost') this.#see(provenance.since, at);
		const isFirstLook = !this.#hasBegun || provenance?.type === 'firstLook';
		for (const change of changes) this.#observe(change, at, isFirstLook);
		this.#keeper.take(update);
		this.nodeCount = Math.max(this.nodeCount, this.#store.nodes.size);
		this.#hasBegun ||= changes.length > 0;
	}

	add(forecast: Forecast) {
		this.#keeper.add(forecast);
		this.#held.add(forecast);
		const silent = forecast.nodes.flatMap(({name, verdict}) => (verdict === 'Silent' ? name : []));
		this.#nodes.noteSilent(new Set(silent), (name) => this.#store.nodes.get(name), forecast.observedAt);
		this.#beganAt ??= forecast.observedAt;
		this.#kubelets.add(forecast, this.#beganAt);
		for (const pod of forecast.pods) this.#note(pod, forecast.observedAt);
		for (const {zone, state, size, notReady} of forecast.zones) {
			const before = this.#zones.get(zone);
			this.#zones.set(zone, state);
			if (before === undefined || before === state || before === 'Initial') continue;
			const text = `zone ${zone} is in ${state} (${size - notReady} of ${size} nodes ready)`;
			this.#report(forecast.observedAt, 'zone', text);
		}
		this.#last = forecast;
	}

	end() {
		this.#keeper.end();
	}

	/** Everything collected so far. */
	outage(frame: ReportHead): Outage {
		return {
			...frame,
			nodeCount: this.nodeCount,
			nodes: this.#nodes.stories,
			evictions: this.#evictions,
			byKubelets: this.#kubelets.evictions.map(byKubelet),
			otherDeletions: this.#others,
			averted: this.#averted(),
			stillComing: this.#last?.pods.filter(({verdict}) => willBeEvicted(verdict)).length ?? 0,
			held: this.#held.times,
			happenings: [...this.#happenings, ...this.#ofKubelets(), ...this.#stillLost()].toSorted(oldestFirst),
			score: this.#keeper.score,
		};
	}

	/** Reports the times in which not all of the cluster was observed, apart from short gaps. */
	#see(since: Instant | undefined, at: Instant) {
		const lostSince = this.#lostSince;
		this.#lostSince = since;
		if (since !== undefined || lostSince === undefined || at - lostSince < shortestReportedGap) return;
		this.#report(lostSince, 'recording', 'not all of the cluster is seen any more');
		this.#report(at, 'recording', 'all of the cluster is seen again');
	}

	#stillLost(): readonly OutageEvent[] {
		const at = this.#lostSince;
		if (at === undefined) return [];
		return [{at, kind: 'recording', text: 'not all of the cluster is seen any more, up to the end'}];
	}

	#ofKubelets(): readonly OutageEvent[] {
		return this.#kubelets.evictions.map(({pod, node, at}) => ({
			at,
			kind: 'kubelet',
			text: `${pod} is evicted by the kubelet of ${node}`,
		}));
	}

	#observe(change: StoreChange, at: Instant, isFirstLook: boolean) {
		switch (change.type) {
			case 'nodeApplied':
				this.#nodes.applied(change.before, change.node, at, isFirstLook);
				break;
			case 'nodeDeleted':
				this.#nodes.gone(change.before, change.name, at);
				break;
			case 'leaseApplied':
				this.#nodes.renewed(change.lease, at);
				if (isControllerManagerLease(change.lease)) this.#lead(change.lease, at);
				break;
			case 'podDeleted':
				this.#podGone(podKey(change), at);
				break;
			default:
				break;
		}
	}

	#lead({acquireTime, holderIdentity = 'another process'}: Lease, at: Instant) {
		if (this.#leaderSince !== undefined && acquireTime !== this.#leaderSince) {
			const text = `${holderIdentity} takes over as controller manager: every countdown starts again`;
			this.#report(at, 'controller', text);
		}
		this.#leaderSince = acquireTime;
	}

	#note(pod: PodForecast, at: Instant) {
		if (pod.verdict === 'Safe') return;
		if (pod.cause) this.#lastForecasts.set(pod.uid, pod);
		if (willBeEvicted(pod.verdict) && !this.#firstPredictedAt.has(pod.uid))
			this.#firstPredictedAt.set(pod.uid, at);
	}

	#deleted({pod, at, history, isEviction, isInside}: Judged) {
		const last = this.#lastForecasts.get(pod.uid);
		this.#lastForecasts.delete(pod.uid);
		this.#firstPredictedAt.delete(pod.uid);
		if (!isEviction) {
			this.#others += 1;
			return;
		}
		const {namespace, name, uid, nodeName: node} = pod;
		const newest = history && newestBefore(history, at);
		this.#evictions.push({
			namespace,
			name,
			uid,
			node,
			workload: workloadOf(pod),
			deletedAt: at,
			// One without a deletion timestamp disappeared at once.
			goneAt: pod.deletionTimestamp === undefined ? at : null,
			cause: last?.cause ?? null,
			first: history && judged(history.first, at),
			last: newest && judged(newest, at),
			isInside,
		});
		this.#report(at, 'pod', `${namespace}/${name} is deleted from ${node}`);
	}

	#podGone(key: string, at: Instant) {
		const eviction = this.#evictions.findLast((one) => podKey(one) === key && one.goneAt === null);
		if (eviction) eviction.goneAt = at;
	}

	#averted(): readonly AvertedEviction[] {
		const verdicts = mapBy(this.#last?.pods ?? [], (pod) => pod.uid);
		const evicted = new Set(this.#kubelets.evictions.map(({pod}) => pod));
		return [...this.#firstPredictedAt].flatMap(([uid, firstSaidAt]) => {
			const pod = verdicts.get(uid) ?? this.#lastForecasts.get(uid);
			if (!pod || willBeEvicted(pod.verdict) || pod.verdict === 'Terminating') return [];
			if (evicted.has(podKey(pod))) return [];
			const {namespace, name, node, verdict} = pod;
			return [{namespace, name, node, firstSaidAt, verdict}];
		});
	}
}

const judged = ({madeAt, range}: Pick<Prediction, 'madeAt' | 'range'>, at: Instant): JudgedPrediction => ({
	madeAt,
	range,
	lead: at - madeAt,
	error: missedBy(range, at),
});

function byKubelet({pod, node, at, predictions}: KubeletEviction): EvictionByKubelet {
	const [first, last] = [predictions[0], predictions.at(-1)];
	return {
		...namesInKey(pod),
		node,
		evictedAt: at,
		signals: last?.signals ?? [],
		first: first && judged(first, at),
		last: last && judged(last, at),
		isInside:
			predictions.length === 0 ? undefined : predictions.every(({range}) => missedBy(range, at) === 0),
	};
}

/** Records from one forecast to the next what holds evictions. */
class HeldTimes {
	readonly #open = new Map<string, Mutable<HeldTime>>();
	readonly #times: HeldTime[] = [];
	readonly #report: AddEvent;

	constructor(report: AddEvent) {
		this.#report = report;
	}

	get times(): readonly HeldTime[] {
		return this.#times;
	}

	add({pods, observedAt: at}: Forecast) {
		const now = new Map<string, {by: string; pods: number; releasedBy: string}>();
		for (const {held} of pods) {
			if (!held) continue;
			const {by, releasedBy} = held;
			kept(now, stopInBrief(by), () => ({by, pods: 0, releasedBy})).pods += 1;
		}
		for (const [kind, {by, pods: count, releasedBy}] of now) {
			const open = this.#open.get(kind);
			if (open) open.pods = Math.max(open.pods, count);
			else this.#begin({by, from: at, to: null, pods: count, releasedBy});
		}
		for (const [kind, open] of this.#open) {
			if (now.has(kind)) continue;
			open.to = at;
			this.#open.delete(kind);
			this.#report(at, 'zone', `pods are no longer held; before: ${kind}`);
		}
	}

	#begin(time: Mutable<HeldTime>) {
		this.#open.set(stopInBrief(time.by), time);
		this.#times.push(time);
		this.#report(time.from, 'zone', `pods are held: ${time.by}`);
	}
}
