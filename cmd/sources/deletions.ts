import type {PressureNews} from '../../src/core/nodepressure/pressureLook.ts';
import {type Instant, never, oldestFirst} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {KubeletEvictions, sameEviction} from '../../src/forecast/ledger/kubeletEvictions.ts';
import {
	type ObservedDeletion,
	pastEvictions,
	reportedEvictions,
} from '../../src/forecast/ledger/observedDeletion.ts';
import {type Judged, type Score, ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import type {SessionLedger} from '../../src/session/session.ts';
import type {ClusterStore, StoreUpdate} from '../../src/store/clusterStore.ts';

/** A limit, so that an outage of hours does not fill the memory. */
export const maxKept = 5000;

/** The deletions that a dashboard or a watch shows, each judged by its prediction, and their score. */
export class Deletions implements SessionLedger {
	readonly #store: ClusterStore;
	readonly #keeper: ScoreKeeper;
	#happenings: readonly ObservedDeletion[] = [];
	#hasBegun = false;
	/** When kubelets evicted pods, by UID; by the event's key if there is no UID. */
	readonly #ended = new Map<string, Instant>();
	readonly #kubelets = new KubeletEvictions();
	/** The time of the first prediction. */
	#beganAt: Instant = never;

	/** @param store holds each update before it comes here @param namespace of the pods that are judged; undefined for all */
	constructor(store: ClusterStore, namespace?: string) {
		this.#store = store;
		this.#keeper = new ScoreKeeper(store, (judged) => this.#add(judged), namespace);
	}

	/** Oldest first; the same array until there is a new one. */
	get happenings(): readonly ObservedDeletion[] {
		return this.#happenings;
	}

	get score(): Score {
		return this.#keeper.score;
	}

	get falseAlarms(): number {
		return this.#keeper.falseAlarms;
	}

	add(forecast: Forecast): void {
		this.#keeper.add(forecast);
		this.#kubelets.addPredictions(forecast);
		this.#beganAt = Math.min(this.#beganAt, forecast.observedAt);
	}

	take(update: StoreUpdate): void {
		this.#keeper.take(update);
		const {changes, provenance} = update;
		// A live watch passes all first lists in one update, which is confirmed.
		const isFirstLook = !this.#hasBegun || provenance?.type === 'firstLook';
		this.#hasBegun ||= changes.length > 0;
		if (!isFirstLook) return;
		const before = pastEvictions(
			changes.flatMap((change) => (change.type === 'eventApplied' ? change.event : [])),
			[...this.#store.pods.values()],
		);
		this.#insert(before);
	}

	/** Takes in kubelet reports. A pod that its kubelet evicts ends, but is not deleted. */
	takePressure(news: PressureNews): void {
		if (news.type !== 'reported') return;
		const fresh = reportedEvictions(news.reports).filter(({uid}) => !this.#ended.has(uid));
		for (const {uid, at} of fresh) this.#ended.set(uid, at);
		this.#insert(fresh.map((one) => ({...one, ...this.#judge(one, false)})));
	}

	/** A pod deleted before the event of its kubelet's eviction comes (as StatefulSets do); undefined if that was counted. */
	#ofKubelet(deletion: ObservedDeletion): ObservedDeletion | undefined {
		const {uid, namespace, name, at} = deletion;
		const event = `event ${namespace}/${name}`;
		const isKnown = this.#ended.has(uid) || at - (this.#ended.get(event) ?? 0) < sameEviction;
		if (isKnown) return undefined;
		for (const key of [uid, event]) this.#ended.set(key, at);
		return {...deletion, ...this.#judge(deletion, true)};
	}

	#judge({namespace, name, node, at}: ObservedDeletion, isEnd: boolean): Partial<ObservedDeletion> {
		if (at < this.#beganAt) return {isBefore: true};
		const {prediction: firstPrediction, isInside} = this.#kubelets.judge(
			`${namespace}/${name}`,
			node,
			at,
			isEnd,
		);
		return {firstPrediction, isInside};
	}

	#add(judged: Judged): void {
		const happening = happeningOf(judged);
		const added = judged.pod.disruptedBy === 'TerminationByKubelet' ? this.#ofKubelet(happening) : happening;
		if (added) this.#happenings = [...this.#happenings, added].slice(-maxKept);
	}

	#insert(found: readonly ObservedDeletion[]): void {
		if (found.length === 0) return;
		this.#happenings = [...found, ...this.#happenings].toSorted(oldestFirst).slice(-maxKept);
	}
}

function happeningOf({pod, at, isEviction, prediction: firstPrediction, isInside}: Judged): ObservedDeletion {
	const {namespace, name, uid, nodeName: node, disruptedBy: by} = pod;
	return {at, namespace, name, uid, node, isEviction, firstPrediction, isInside, by};
}
