import type {PressureNews} from '../../src/core/nodepressure/pressureLook.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {KubeletEvictions} from '../../src/forecast/ledger/kubeletEvictions.ts';
import {
	type ObservedDeletion,
	pastEvictions,
	reportedEvictions,
} from '../../src/forecast/ledger/observedDeletion.ts';
import {missedBy} from '../../src/forecast/ledger/prediction.ts';
import {type Judged, type Score, ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import type {SessionLedger} from '../../src/session/session.ts';
import type {ClusterStore, StoreUpdate} from '../../src/store/clusterStore.ts';

/** So many are kept: an outage of hours must not fill the memory. */
export const mostKept = 5000;

/** The deletions of a cluster as the dashboard shows them, judged as the score of a watch is. */
export class Deletions implements SessionLedger {
	readonly #store: ClusterStore;
	readonly #keeper: ScoreKeeper;
	#happenings: readonly ObservedDeletion[] = [];
	#hasBegun = false;
	/** The pods whose kubelets evicted them. */
	readonly #ended = new Set<string>();
	readonly #kubelets = new KubeletEvictions();
	/** When something was said first. */
	#beganAt: Instant = Number.POSITIVE_INFINITY;

	/** @param store holds each update before it is taken in here */
	constructor(store: ClusterStore) {
		this.#store = store;
		this.#keeper = new ScoreKeeper(store, (judged) => {
			const isKnown = judged.pod.disruptedBy === 'TerminationByKubelet' && this.#ended.has(judged.pod.uid);
			if (!isKnown) this.#happenings = [...this.#happenings, happeningOf(judged)].slice(-mostKept);
		});
	}

	/** The oldest first; the same array as long as there is nothing new. */
	get happenings(): readonly ObservedDeletion[] {
		return this.#happenings;
	}

	get score(): Score {
		return this.#keeper.score;
	}

	get falseAlarms(): number {
		return this.#keeper.falseAlarms.length;
	}

	add(forecast: Forecast): void {
		this.#keeper.add(forecast);
		this.#kubelets.say(forecast);
		this.#beganAt = Math.min(this.#beganAt, forecast.observedAt);
	}

	take(update: StoreUpdate): void {
		this.#keeper.take(update);
		const {changes, provenance} = update;
		// A live watch tells what all first lists found in one update, which is confirmed.
		const isFirstLook = !this.#hasBegun || provenance?.type === 'firstLook';
		this.#hasBegun ||= changes.length > 0;
		if (!isFirstLook) return;
		const before = pastEvictions(
			changes.flatMap((change) => (change.type === 'eventApplied' ? change.event : [])),
			[...this.#store.pods.values()],
		);
		this.#insert(before);
	}

	/** Takes in what kubelets reported: a pod that its kubelet evicts ends, and is not deleted. */
	takePressure(news: PressureNews): void {
		if (news.type !== 'reported') return;
		const fresh = reportedEvictions(news.reports).filter(({uid}) => !this.#ended.has(uid));
		for (const {uid} of fresh) this.#ended.add(uid);
		this.#insert(fresh.map((one) => ({...one, ...this.#saidOf(one)})));
	}

	#saidOf({namespace, name, node, at}: ObservedDeletion): Partial<ObservedDeletion> {
		if (at < this.#beganAt) return {isBefore: true};
		const {first, missed, said: all} = this.#kubelets.judge(`${namespace}/${name}`, node, at);
		// What was not certain had no end: it counts where nothing else was said.
		const said = missed ?? first ?? all[0];
		return {said, isInside: said && missedBy(said, at) === 0};
	}

	#insert(found: readonly ObservedDeletion[]): void {
		if (found.length === 0) return;
		this.#happenings = [...found, ...this.#happenings].toSorted((a, b) => a.at - b.at).slice(-mostKept);
	}
}

function happeningOf({pod, at, isEviction, prediction: said, isInside}: Judged): ObservedDeletion {
	const {namespace, name, uid, nodeName: node, disruptedBy: by} = pod;
	return {at, namespace, name, uid, node, isEviction, said, isInside, by};
}
