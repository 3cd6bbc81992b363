import {kept} from '../../../core/collections/kept.ts';
import type {EvictionWorld} from '../../../core/nodepressure/evictionWorld.ts';
import {type GarbageCollection, garbageCollections} from '../../../core/nodepressure/fileSystemLayout.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import type {NodeStats, Summary} from '../../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {type Observations, observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import type {Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {thresholdsMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Instant, never, second} from '../../../core/time/instant.ts';
import type {PressureSituation} from '../situation.ts';
import type {PressureHypothesis} from './hypotheses.ts';
import type {Projection} from './projection.ts';
import {withAvailable} from './withAvailable.ts';

/** A node in the future of a hypothesis, for the ported manager to run in. */
export class ProjectedNode implements EvictionWorld {
	readonly #projection: Projection;
	readonly #pods: readonly NodePod[];
	readonly #fileSystems: FileSystems;
	readonly #thresholds: readonly Threshold[];
	readonly #hypothesis: PressureHypothesis;
	readonly #endsAt: Map<string, Instant>;
	/** What was collected and frees enough. */
	readonly #collected = new Set<GarbageCollection>();

	constructor(
		projection: Projection,
		{pods, fileSystems, thresholds, killed}: PressureSituation,
		hypothesis: PressureHypothesis,
	) {
		this.#projection = projection;
		this.#fileSystems = fileSystems;
		this.#thresholds = thresholds;
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

	summary(now: Instant): Summary {
		const summary = this.#projection.at(now, this.#endedBy(now));
		return {...summary, node: this.#relieved(summary.node)};
	}

	/** Whether a pass at `now` has anything to do. @param isPursuing whether the one before evicted: minimum reclaims count then */
	isBusyAt(now: Instant, isPursuing: boolean): boolean {
		const ended = this.#endedBy(now);
		const observed = this.#projection.observationsAt(now, ended);
		return (
			thresholdsMet(this.#thresholds, this.#withFreeDisks(observed), isPursuing).length > 0 ||
			this.#projection.isOverLimitAt(now, ended)
		);
	}

	collectGarbage(what: GarbageCollection): undefined {
		if (this.#hypothesis.doesGarbageSuffice) this.#collected.add(what);
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

	#relieved(node: NodeStats): NodeStats {
		if (this.#collected.size === 0) return node;
		const free = this.#withFreeDisks(observeSignals({node, pods: []}));
		return withAvailable(node, new Map([...free].map(([signal, one]) => [signal, one.available])));
	}

	/** With each disk on which garbage was collected completely free: more than any threshold requires. */
	#withFreeDisks(observations: Observations): Observations {
		if (this.#collected.size === 0) return observations;
		return new Map(
			[...observations].map(([signal, one]) => {
				const collections = garbageCollections(signal, this.#fileSystems);
				const isFree = collections.some((what) => this.#collected.has(what));
				return [signal, isFree ? {...one, available: one.capacity} : one];
			}),
		);
	}

	#endedBy(now: Instant): ReadonlySet<string> {
		return new Set([...this.#endsAt.keys()].filter((uid) => this.#hasEnded(uid, now)));
	}

	#hasEnded(uid: string, now: Instant): boolean {
		return now >= (this.#endsAt.get(uid) ?? never);
	}
}
