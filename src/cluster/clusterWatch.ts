import type {Problem} from '../core/model/clusterSnapshot.ts';
import type {Observation, Sight} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';
import {Decoder} from './decoder.ts';
import {Gaps} from './gaps.ts';
import {distinct, problemOf} from './problem.ts';
import {Reflector, type Sink} from './reflector.ts';
import {leaderLease, nodeLeases, nodes, pods, type Resource} from './resource.ts';
import type {Selection} from './selection.ts';
import type {Timing} from './timing.ts';
import type {Transport} from './transport.ts';

export type OnChange = (observations: readonly Observation[], arrivedAt: Instant, sight?: Sight) => void;
type Follower = {run(signal: AbortSignal): Promise<void>; reopen(): void};

export type OnProblems = (problems: readonly Problem[]) => void;

/**
 * Joins the watches of a selection's collections into one stream. The first call brings what all first lists found,
 * nodes before pods, so that nobody judges a cluster half seen.
 */
export class ClusterWatch {
	readonly #transport: Transport;
	readonly #timing: Timing;
	readonly #onChange: OnChange;
	readonly #onProblems: OnProblems;
	readonly #decoder = new Decoder();
	readonly #reflectors: readonly Follower[];
	/** By collection, as long as not every one has been listed, or (but for nodes) has failed, once. */
	#opening: Observation[][] | undefined = [];
	readonly #unsettled = new Set<number>();
	readonly #gaps = new Gaps();
	readonly #troubles: (Problem | undefined)[] = [];
	#reported = '[]';

	constructor(
		transport: Transport,
		selection: Selection,
		timing: Timing,
		onChange: OnChange,
		onProblems: OnProblems,
	) {
		this.#transport = transport;
		this.#timing = timing;
		this.#onChange = onChange;
		this.#onProblems = onProblems;
		const decoder = this.#decoder;
		const follow = <T>(resource: Resource<T>) =>
			new Reflector(transport, resource, this.#newSink(resource), timing);
		this.#reflectors = [
			follow(nodes(decoder)),
			follow(nodeLeases(decoder)),
			follow(leaderLease(decoder)),
			...pods(selection, decoder).map(follow),
		];
	}

	/** Runs until aborted. @throws UserError where the nodes may not be read from the start. */
	async run(signal: AbortSignal): Promise<void> {
		const failure = new AbortController();
		const both = AbortSignal.any([signal, failure.signal]);
		const runs = this.#reflectors.map(async (reflector) => {
			try {
				await reflector.run(both);
			} catch (error) {
				// The others have nothing to go on for.
				failure.abort();
				throw error;
			}
		});
		const results = await Promise.allSettled(runs);
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) throw failed.reason;
	}

	#newSink<T>({name, isEssential}: Resource<T>): Sink {
		const index = this.#troubles.push(undefined) - 1;
		this.#opening?.push([]);
		this.#unsettled.add(index);
		return {
			emit: (observations, arrivedAt, sight) => {
				const held = this.#opening?.[index];
				if (sight) this.#gaps.tell(sight, arrivedAt);
				if (!held) this.#onChange(observations, arrivedAt, sight);
				else for (const observation of observations) held.push(observation);
			},
			report: (trouble) => {
				this.#troubles[index] = trouble && problemOf(name, trouble);
				this.#publishProblems();
				// Without its node, a pod would look like one whose node was deleted: nodes are waited for.
				if (!trouble || !isEssential) this.#settle(index);
			},
			lost: (since) => {
				const hasChanged = this.#gaps.lost(index, since);
				if (!hasChanged) return;
				this.#onChange([], this.#timing.now(), {type: 'watchLost', since: this.#gaps.lostSince});
				this.#publishProblems();
			},
			reportFlaw: this.#decoder.report,
			suspect: () => {
				for (const reflector of this.#reflectors) reflector.reopen();
			},
		};
	}

	#settle(index: number): void {
		if (!this.#opening) return;
		this.#unsettled.delete(index);
		if (this.#unsettled.size > 0) return;
		const observations = this.#opening.flat();
		this.#opening = undefined;
		if (observations.length > 0) this.#onChange(observations, this.#timing.now());
	}

	#publishProblems(): void {
		const problems = distinct([
			...this.#troubles,
			this.#decoder.problem,
			this.#transport.clockOffset.problem,
			...this.#gaps.problemsAt(this.#timing.now()),
		]);
		const text = JSON.stringify(problems);
		if (text === this.#reported) return;
		this.#reported = text;
		this.#onProblems(problems);
	}
}
