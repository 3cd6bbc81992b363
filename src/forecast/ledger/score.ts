import type {Disrupter, Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, median} from '../../core/time/instant.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import {missedBy, newestBefore, type Prediction} from './prediction.ts';
import {type DeletionRecord, PredictionLedger} from './predictionLedger.ts';
import type {ShownScore} from './shownForecasts.ts';

/** The accuracy of a session's forecasts, by the evictions that it saw. */
export type Score = {
	/** Evictions that were predicted in time. */
	readonly judged: number;
	/** Those that came within all predictions that count: the first after the taint, and the newest made a second before. */
	readonly inside: number;
	/** Of the first forecasts after the taint, or of the newest if there were none; null if none was bounded. */
	readonly medianWidth: Duration | null;
	/** The latest of those that came outside, the oldest first. */
	readonly misses: readonly Miss[];
	/** Evictions without a prediction. */
	readonly unforeseen: number;
	/** Deletions that others announced, which are not predicted; absent if there were none. */
	readonly others?: Readonly<Partial<Record<Disrupter, number>>>;
	/** The number of countdowns whose end passed without a deletion, though nothing changed. */
	readonly falseAlarms: number;
	/** The same for everything that was shown, regardless of later changes. */
	readonly shown: ShownScore;
};

/** An eviction that came outside its prediction. */
type Miss = Pick<Pod, 'namespace' | 'name' | 'uid'> & {
	readonly at: Instant;
	readonly prediction: Prediction;
	/** Negative if it came too early. */
	readonly by: Duration;
};

/** A deletion with the score's judgement. */
export type Judged = DeletionRecord & {
	/** The prediction that it missed, else the first that counts; undefined if there was none in time. */
	readonly prediction: Prediction | undefined;
	/** Undefined if there was no prediction in time. */
	readonly isInside: boolean | undefined;
};

const mostMisses = 100;

/** The ledger of a session that judges its forecasts as it goes on. */
export class ScoreKeeper extends PredictionLedger {
	readonly #onJudged: (judged: Judged) => void;
	readonly #widths: Duration[] = [];
	#inside = 0;
	#unforeseen = 0;
	#misses: readonly Miss[] = [];
	#others: Score['others'];

	/**
	 * @param onJudged called for each deletion that is seen
	 * @param namespace of the pods; undefined for all
	 */
	constructor(store: ClusterStore, onJudged: (judged: Judged) => void = () => undefined, namespace?: string) {
		super(store, namespace);
		this.#onJudged = onJudged;
	}

	get score(): Score {
		const width = median(this.#widths);
		return {
			judged: this.#widths.length,
			inside: this.#inside,
			medianWidth: width !== undefined && Number.isFinite(width) ? width : null,
			misses: this.#misses,
			unforeseen: this.#unforeseen,
			...(this.#others && {others: this.#others}),
			falseAlarms: this.falseAlarms,
			shown: this.shown,
		};
	}

	protected override deletionSeen(deletion: DeletionRecord): void {
		const {pod, at, history, isEviction} = deletion;
		const counts = history
			? [history.scheduled, newestBefore(history, at)].filter((one) => one !== undefined)
			: [];
		// A prediction that came too late does not count.
		const [first] = isEviction ? counts : [];
		const prediction = first && counts.find((one) => missedBy(one.range, at) !== 0);
		this.#onJudged({...deletion, prediction: prediction ?? first, isInside: first && !prediction});
		const {disruptedBy: by} = pod;
		if (by) this.#others = {...this.#others, [by]: (this.#others?.[by] ?? 0) + 1};
		if (isEviction && !history) this.#unforeseen += 1;
		if (!first) return;
		this.#widths.push(first.range.end - first.range.earliest);
		if (!prediction) {
			this.#inside += 1;
			return;
		}
		const {namespace, name, uid} = pod;
		const miss = {namespace, name, uid, at, prediction, by: missedBy(prediction.range, at)};
		this.#misses = [...this.#misses, miss].slice(-mostMisses);
	}
}
