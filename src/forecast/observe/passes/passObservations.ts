import {beginningOfTime, type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {keptFor, type SeenEvent} from '../eventEvidence.ts';
import {type Interval, intersect} from '../interval.ts';
import {type ClientLimits, perCall, reportedCallDuration} from '../latencies.ts';

/** Two observations of one node closer than this are of the same pass. */
export const samePass: Duration = 3 * second;
/** How many other calls wait for the client before that of an event. */
const callers = 10;

/** An observation of something that only a monitor pass does. `groupIntoPasses` joins those of one pass. */
export type PassObservation = Readonly<{
	/** When it was done. The pass began then or before. */
	at: Interval;
	/** How many calls the pass makes for it. */
	calls: number;
	node?: string;
	/** The last call for it that was seen; none but `at` if absent. */
	wroteUntil?: Instant;
	/** How many of the calls were not seen; all if absent. */
	callsUnseen?: number;
	/** Whether a pass begins with it: no calls came before. */
	isFirst?: boolean;
	source: string;
}>;

/** Keeps observations of monitor passes, by action and node. */
export class PassObservations {
	readonly #observations = new Map<string, readonly PassObservation[]>();
	#prunedAt: Instant = beginningOfTime;

	/** The observations that are not older than an instant. */
	since(oldest: Instant): readonly PassObservation[] {
		return [...this.#observations.values()].flat().filter(({at}) => at.hi >= oldest);
	}

	/** Keeps an observation; two of the same action are joined into their intersection. */
	saw(action: 'unknown' | 'cleared', node: string, observation: PassObservation, now: Instant) {
		if (now - this.#prunedAt > keptFor) this.#prune(now);
		const key = `${action} ${node}`;
		const known = (this.#observations.get(key) ?? []).filter(({at}) => at.hi > now - keptFor);
		const same = known.find(({at}) => Math.abs(at.lo - observation.at.lo) < samePass);
		const common = same && intersect(same.at, observation.at);
		if (!same) this.#observations.set(key, [...known, observation]);
		else if (common) {
			const source = common.lo === same.at.lo && common.hi === same.at.hi ? same.source : observation.source;
			this.#observations.set(
				key,
				known.map((one) => (one === same ? {...same, at: common, source} : one)),
			);
		}
	}

	/** Drops old observations of deleted nodes. */
	#prune(now: Instant) {
		this.#prunedAt = now;
		for (const [key, known] of this.#observations) {
			if (known.every(({at}) => at.hi <= now - keptFor)) this.#observations.delete(key);
		}
	}
}

/** When a pass turned a node Unknown, by its event, which follows the status' write; both may have waited for the client. */
export function turnedUnknownIn({at}: SeenEvent, limits: ClientLimits): Interval {
	return {lo: at.lo - reportedCallDuration - callers * perCall(limits), hi: at.hi};
}
