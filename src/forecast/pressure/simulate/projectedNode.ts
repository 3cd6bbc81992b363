import {kept} from '../../../core/collections/kept.ts';
import type {EvictionWorld} from '../../../core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import type {Measured} from '../../../core/nodepressure/thresholds/observations.ts';
import type {Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {thresholdsMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Instant, never, second} from '../../../core/time/instant.ts';
import type {SignalForecast} from '../pressureForecast.ts';
import type {PressureSituation} from '../situation.ts';
import type {PressureHypothesis} from './hypotheses.ts';
import {Projection} from './projection.ts';

/** A node in the future of a hypothesis, for the ported manager to run in. */
export class ProjectedNode extends Projection implements EvictionWorld {
	readonly #pods: readonly NodePod[];
	readonly #fileSystems: FileSystems;
	readonly #hypothesis: PressureHypothesis;
	readonly #endsAt: Map<string, Instant>;

	constructor(situation: PressureSituation, near: readonly SignalForecast[], hypothesis: PressureHypothesis) {
		super(
			situation,
			near.map(({signal}) => signal),
			hypothesis,
		);
		const {pods, fileSystems, killed} = situation;
		this.#fileSystems = fileSystems;
		this.#hypothesis = hypothesis;
		// They may have ended by now, or take as long as possible, which gives others time to be evicted.
		const hasEnded = hypothesis.course === 'median';
		this.#endsAt = new Map([...killed].map(([uid, at]) => [uid, hasEnded ? beginningOfTime : at]));
		const turn = hypothesis.rotation % Math.max(1, pods.length);
		this.#pods = [...pods.slice(turn), ...pods.slice(0, turn)];
	}

	fileSystems(): FileSystems {
		return this.#fileSystems;
	}

	activePods(now: Instant): readonly NodePod[] {
		return this.#pods.filter(({uid}) => !this.#hasEnded(uid, now));
	}

	measured(now: Instant): Measured {
		return this.at(now, this.#endedBy(now));
	}

	/** Whether a pass at `now` has anything to do. @param isPursuing whether the one before evicted: minimum reclaims count then */
	isBusyAt(now: Instant, thresholds: readonly Threshold[], isPursuing: boolean): boolean {
		const ended = this.#endedBy(now);
		const observed = this.observationsAt(now, ended);
		return thresholdsMet(thresholds, observed, isPursuing).length > 0 || this.isOverLimitAt(now, ended);
	}

	/** Where that suffices, the thresholds are left out. */
	collectGarbage(): undefined {
		return undefined;
	}

	kill({uid}: NodePod, graceSeconds: number, now: Instant): Instant {
		const most = (Math.max(1, graceSeconds) + 1) * second;
		const needs = this.#hypothesis.isSlow ? most : 0;
		return kept(this.#endsAt, uid, () => now + needs);
	}

	/** A slow node never completes its cleanup; the kubelet gives up after half a minute. */
	isCleanedUp(): boolean {
		return !this.#hypothesis.isSlow;
	}

	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold {
		return candidates[this.#hypothesis.choice % candidates.length] ?? candidates[0];
	}

	#endedBy(now: Instant): ReadonlySet<string> {
		return new Set([...this.#endsAt.keys()].filter((uid) => this.#hasEnded(uid, now)));
	}

	#hasEnded(uid: string, now: Instant): boolean {
		return now >= (this.#endsAt.get(uid) ?? never);
	}
}
