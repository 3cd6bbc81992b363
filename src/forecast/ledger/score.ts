import {type Disrupter, isPodTerminal, type Pod} from '../../core/model/pod.ts';
import {type Duration, type Instant, median} from '../../core/time/instant.ts';
import type {Actor} from './actor.ts';
import {missedBy, newestBefore, type Prediction, type PredictionHistory} from './prediction.ts';
import type {ShownScore} from './shownForecasts.ts';

/** The accuracy of a session's forecasts, by the evictions that it saw. */
export type Score = Readonly<{
	/** Evictions that were predicted in time. */
	judged: number;
	/** Those that came within all predictions that count: the first after the taint, and the newest made a second before. */
	inside: number;
	/** Of the first forecasts after the taint, or of the newest if there were none; null if none was bounded. */
	medianWidth: Duration | null;
	/** The latest of those that came outside, the oldest first. */
	misses: readonly Miss[];
	/** Evictions without a prediction. */
	unforeseen: number;
	/** All ends of pods that were seen, and of how many is known who made them. */
	ends: {readonly all: number; readonly named: number};
	/** Deletions that others announced, which are not predicted; absent if there were none. */
	others?: Readonly<Partial<Record<Disrupter, number>>>;
	/** The number of countdowns whose end passed without a deletion, though nothing changed. */
	falseAlarms: number;
	/** The same for everything that was shown, regardless of later changes. */
	shown: ShownScore;
}>;

/** An eviction that came outside its prediction. */
type Miss = Pick<Pod, 'namespace' | 'name' | 'uid'> & {
	readonly at: Instant;
	readonly prediction: Prediction;
	/** Negative if it came too early. */
	readonly by: Duration;
};

export type DeletionRecord = Readonly<{
	pod: Pod;
	at: Instant;
	/** Undefined if nothing was predicted. */
	history: PredictionHistory | undefined;
	/** Undefined if nothing shows who ended it. */
	actor: Actor | undefined;
	/**
	 * Whether it is of a predicted kind: announced by the controller on a tainted node or for a tainted device, by its condition
	 * or, in releases that set none, by its event; or of a pod whose node is gone.
	 */
	isEviction: boolean;
}>;

/** A deletion with the score's judgement. */
export type Judged = DeletionRecord & {
	/** The prediction that it missed, else the first that counts; undefined if there was none in time. */
	readonly prediction: Prediction | undefined;
	/** Undefined if there was no prediction in time. */
	readonly isInside: boolean | undefined;
};

const mostMisses = 100;

/** Judges deletions by their predictions. @param onJudged called for each */
export function scoreCounter(onJudged: (judged: Judged) => void) {
	const widths: Duration[] = [];
	let [inside, unforeseen, all, named] = [0, 0, 0, 0];
	let misses: readonly Miss[] = [];
	let others: Score['others'];
	return {
		get counted(): Omit<Score, 'falseAlarms' | 'shown'> {
			const width = median(widths);
			return {
				judged: widths.length,
				inside,
				misses,
				unforeseen,
				ends: {all, named},
				medianWidth: width !== undefined && Number.isFinite(width) ? width : null,
				...(others && {others}),
			};
		},
		take(deletion: DeletionRecord) {
			const {pod, at, history, isEviction, actor} = deletion;
			// The object of a pod that had ended before is only tidied away.
			if (actor || !isPodTerminal(deletion.pod)) all += 1;
			if (actor) named += 1;
			const counts = history
				? [history.scheduled, newestBefore(history, at)].flatMap((one) =>
						one && one.madeAt <= at ? one : [],
					)
				: [];
			// A prediction that came too late does not count.
			const [first] = isEviction ? counts : [];
			const prediction = first && counts.find((one) => missedBy(one.range, at) !== 0);
			onJudged({...deletion, prediction: prediction ?? first, isInside: first && !prediction});
			const {namespace, name, uid, disruptedBy: by} = pod;
			if (by) others = {...others, [by]: (others?.[by] ?? 0) + 1};
			if (isEviction && !history) unforeseen += 1;
			if (!first) return;
			widths.push(first.range.end - first.range.earliest);
			if (!prediction) {
				inside += 1;
				return;
			}
			const miss = {namespace, name, uid, at, prediction, by: missedBy(prediction.range, at)};
			misses = [...misses, miss].slice(-mostMisses);
		},
	};
}
