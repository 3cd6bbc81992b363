import type {Disrupter, Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, median} from '../../core/time/instant.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import {missedBy, newestBefore, type Prediction, widthOf} from './prediction.ts';
import {type DeletionRecord, type FalseAlarm, PredictionLedger} from './predictionLedger.ts';
import type {ShownScore} from './shownForecasts.ts';

/** How the forecasts of a session did, against the evictions that it saw. */
export type Score = {
	/** Evictions of which something was said in time. */
	readonly judged: number;
	/** Those that came within all that counts: the first forecast after the taint, and the newest made a second before. */
	readonly inside: number;
	/** Of the first forecasts after the taint, or of the newest where there were none; null where none was bounded. */
	readonly medianWidth: Duration | null;
	/** The latest of those that came outside, the oldest first. */
	readonly misses: readonly Miss[];
	/** Evictions of which nothing was said. */
	readonly unforeseen: number;
	/** How many deletions somebody else announced, who is not foretold; absent where nobody did. */
	readonly others?: Readonly<Partial<Record<Disrupter, number>>>;
	/** Countdowns whose end passed without a deletion, though nothing changed. */
	readonly falseAlarms: readonly FalseAlarm[];
	/** The same of all that was shown, without regard to what changed after it. */
	readonly shown: ShownScore;
};

/** An eviction that came outside of what was said of it. */
type Miss = {
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	readonly at: Instant;
	readonly prediction: Prediction;
	/** Below zero where it came too early. */
	readonly by: Duration;
};

/** One deletion that was seen, and what the score makes of it. */
export type Judged = {
	readonly pod: Pod;
	readonly at: Instant;
	/** Whether it is of the kind that is foretold. */
	readonly isEviction: boolean;
	/** What was said of it: that which it missed, else the first that counts; undefined where nothing was said in time. */
	readonly prediction: Prediction | undefined;
	/** Undefined where nothing was said in time. */
	readonly isInside: boolean | undefined;
};

/** Is told what the score makes of a deletion, and what the ledger had of it. */
type OnJudged = (judged: Judged, deletion: DeletionRecord) => void;

const mostMisses = 100;

/** The ledger of a session that judges what its forecasts said, as it goes on. */
export class ScoreKeeper extends PredictionLedger {
	readonly #onJudged: OnJudged;
	readonly #widths: Duration[] = [];
	#inside = 0;
	#unforeseen = 0;
	#misses: readonly Miss[] = [];
	#others: Score['others'];

	/** @param onJudged is told of each deletion that is seen */
	constructor(store: ClusterStore, onJudged: OnJudged = () => undefined) {
		super(store, (deletion) => this.#judge(deletion));
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

	#judge(deletion: DeletionRecord): void {
		const {pod, at, said, isEviction} = deletion;
		const counts = said ? [said.scheduled, newestBefore(said, at)].filter((one) => one !== undefined) : [];
		// What was said too late is no prediction.
		const [first] = isEviction ? counts : [];
		const prediction = first && counts.find((one) => missedBy(one, at) !== 0);
		this.#onJudged(
			{pod, at, isEviction, prediction: prediction ?? first, isInside: first && !prediction},
			deletion,
		);
		const {disruptedBy: by} = pod;
		if (by) this.#others = {...this.#others, [by]: (this.#others?.[by] ?? 0) + 1};
		if (isEviction && !said) this.#unforeseen += 1;
		if (!first) return;
		this.#widths.push(widthOf(first));
		if (!prediction) {
			this.#inside += 1;
			return;
		}
		const {namespace, name, uid} = pod;
		const miss = {namespace, name, uid, at, prediction, by: missedBy(prediction, at)};
		this.#misses = [...this.#misses, miss].slice(-mostMisses);
	}
}
