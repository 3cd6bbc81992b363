import type {Pod} from '../../src/core/model/pod.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Script} from '../../src/demo/world/script.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import {missedOf, type Prediction} from '../../src/forecast/ledger/prediction.ts';
import {PredictionLedger} from '../../src/forecast/ledger/predictionLedger.ts';
import type {ClusterStore, StoreUpdate} from '../../src/store/clusterStore.ts';
import {maxKept} from '../sources/deletions.ts';

export type DemoDeletion = {
	readonly pod: Pod;
	readonly at: Instant;
	/** The first prediction; undefined if there was none. */
	readonly first: Prediction | undefined;
	/** A prediction that the deletion missed, of all that were made; undefined if it lies inside all of them. */
	readonly missed: Prediction | undefined;
};

/**
 * Compares each deletion with its predictions. A forecast holds if nothing else happens, so predictions from before a
 * change of the scenario, or from before the change was visible, do not count.
 */
export class Predictions extends PredictionLedger {
	readonly #script: Script;
	readonly #deletions: DemoDeletion[] = [];
	#happenings: readonly ObservedDeletion[] = [];
	#change: Instant | undefined;

	constructor(script: Script, store: ClusterStore) {
		super(store, ({pod, at, history}) => {
			const deletion = {pod, at, first: history?.first, missed: history && missedOf(history, at)};
			this.#deletions.push(deletion);
			this.#happenings = [...this.#happenings, happeningOf(deletion)].slice(-maxKept);
		});
		this.#script = script;
	}

	/** Oldest first. */
	get deletions(): readonly DemoDeletion[] {
		return this.#deletions;
	}

	/** As the dashboard shows them; the same array until there is a new one. */
	get happenings(): readonly ObservedDeletion[] {
		return this.#happenings;
	}

	override add(forecast: Forecast): void {
		this.#forgetAt(forecast.observedAt);
		if (this.#script.isPlain(forecast.observedAt)) super.add(forecast);
	}

	override take(update: StoreUpdate): void {
		this.#forgetAt(update.arrivedAt);
		super.take(update);
	}

	#forgetAt(now: Instant): void {
		const change = this.#script.lastChange(now);
		if (change !== this.#change) this.forget();
		this.#change = change;
	}
}

/** Whether a deletion came as every prediction said. */
export const isAsPredicted = ({first, missed}: DemoDeletion): boolean =>
	first !== undefined && missed === undefined;

function happeningOf(deletion: DemoDeletion): ObservedDeletion {
	const {pod, at, first, missed} = deletion;
	const {namespace, name, uid, nodeName: node} = pod;
	const isInside = first === undefined ? undefined : isAsPredicted(deletion);
	return {at, namespace, name, uid, node, isEviction: true, firstPrediction: missed ?? first, isInside};
}
