import type {Provenance} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, type Instant, minute, never, second} from '../../core/time/instant.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import {clockTime} from '../../forecast/words.ts';
import type {WatchGap} from '../shadowView.ts';
import {type CaseExplanation, explained} from './unexplainedAction.ts';

/** Shorter gaps are not reported: every reconnection leaves one. */
const shortestReported: Duration = 2 * second;
/** How long a past gap may explain divergences: an unreachable API server stops kubelets and controllers as well. */
const aftermath: Duration = minute;
const maxGaps = 100;

/** The reasons of problems that may explain almost any divergence. */
const blocking = /^(?:Nodes|Leases|LeaderLease|Pods|OtherNamespaces)(?:Forbidden|Unreadable)$/;

/** A gap, and how long its effects last. */
type Gap = WatchGap & {readonly aftermath: Duration};

/** Records observation gaps, and which of them could explain a divergence. */
export class ObservationGaps {
	#gaps: readonly Gap[] = [];
	#gapCount = 0;
	/** States that began before this were not fully observed: the start, or the last loss of history. */
	#unknownBefore: Instant = never;
	#blocking: Problem | undefined;

	/** Called with the first look at the cluster. */
	begin(at: Instant) {
		this.#unknownBefore = at;
	}

	/** Processes how a batch was seen. */
	take(provenance: Provenance, arrivedAt: Instant) {
		if (provenance.type === 'watchLost') {
			const {since: from} = provenance;
			if (from === undefined) {
				this.#gaps = this.#gaps.map((gap) => (gap.until === null ? {...gap, until: arrivedAt} : gap));
			} else if (!this.isLost) {
				this.#push({from, until: null, reason: 'the connection to the API server was lost', aftermath});
			}
		} else if (provenance.type === 'historyLost') {
			this.#unknownBefore = arrivedAt;
			this.#add(provenance.since, arrivedAt, 'the API server no longer knew what had happened meanwhile');
		} else if (provenance.type === 'late' && arrivedAt - provenance.since >= shortestReported) {
			// Nothing is missing; only the exact times are unknown.
			this.#add(provenance.since, arrivedAt, 'a watch was interrupted', 0);
		}
	}

	reportProblems(problems: readonly Problem[]) {
		this.#blocking = problems.find(({reason}) => blocking.test(reason));
	}

	get isLost() {
		return this.#gaps.some(({until}) => until === null);
	}

	get gaps(): readonly WatchGap[] {
		return this.#gaps.toReversed();
	}

	get gapCount(): number {
		return this.#gapCount;
	}

	/** What was forbidden or not seen in a period; undefined if everything was seen. */
	unseenIn(time: Interval): CaseExplanation | undefined {
		if (this.#blocking) return ofGap(this.#blocking.message);
		const gap = this.#gaps.findLast(
			({from, until, aftermath: after}) => from <= time.hi && (until ?? never) + after >= time.lo,
		);
		if (!gap) return undefined;
		const to = gap.until === null ? 'now' : clockTime(gap.until, time.hi);
		return ofGap(`not all was seen from ${clockTime(gap.from, time.hi)} to ${to}`);
	}

	/** The same for the beginning of a state. */
	unseenBeginning(since: Instant): CaseExplanation | undefined {
		if (since > this.#unknownBefore) return undefined;
		return ofGap('it began before the watch, which did not see how');
	}

	#add(from: Instant, until: Instant, reason: string, after = aftermath) {
		const last = this.#gaps.at(-1);
		// The same gap, reported by another collection.
		if (last && from <= (last.until ?? until)) {
			const joined = {
				...last,
				from: Math.min(last.from, from),
				aftermath: Math.max(last.aftermath, after),
				until: last.until === null ? null : Math.max(last.until, until),
			};
			this.#gaps = [...this.#gaps.slice(0, -1), joined];
			return;
		}
		this.#push({from, until, reason, aftermath: after});
	}

	#push(gap: Gap) {
		this.#gapCount += 1;
		this.#gaps = [...this.#gaps, gap].slice(-maxGaps);
	}
}

const ofGap = (what: string): CaseExplanation =>
	explained('ObservationGap', `It may be an observation gap: ${what}.`);
