import {TaskGroup} from '../../async/taskGroup.ts';
import type {Timing} from '../../async/timing.ts';
import type {Problem} from '../../core/model/clusterSnapshot.ts';
import type {Observation, Sight} from '../../core/model/observation.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {Decoder} from '../codec/decoder.ts';
import {answersAboutLeases} from '../controlplane/apiServer.ts';
import type {ClusterIdentity} from '../controlplane/clusterIdentity.ts';
import {distinct, problemOf} from '../transport/problem.ts';
import {hasStatus} from '../transport/requestError.ts';
import {
	events,
	isDatingWrites,
	isLeaderInEndpoints,
	leaderEndpoints,
	leaderLease,
	nodeLeases,
	nodes,
	type Resource,
} from '../transport/resource.ts';
import type {Selection} from '../transport/selection.ts';
import type {Transport} from '../transport/transport.ts';
import {type Followed, FollowedPods} from './followedPods.ts';
import {Gaps} from './gaps.ts';
import {fixedCollections, labelsOf} from './podCollections.ts';
import {Pulse} from './pulse.ts';
import {Reflector, type Sink} from './reflector.ts';

export type OnChange = (observations: readonly Observation[], arrivedAt: Instant, sight?: Sight) => void;
type Follower = Pick<Reflector<unknown>, 'reopen' | 'loseSight' | 'regainSight' | 'look'>;

export type OnProblems = (problems: readonly Problem[]) => void;

/**
 * Joins the watches of a selection's collections into one stream. The first call brings what all first lists found,
 * nodes before pods, so that nobody judges a cluster half seen.
 */
export class ClusterWatch {
	readonly #transport: Transport;
	readonly #identity: ClusterIdentity;
	readonly #timing: Timing;
	readonly #onChange: OnChange;
	readonly #onProblems: OnProblems;
	readonly #decoder = new Decoder();
	readonly #selection: Selection;
	readonly #reflectors = new Set<Follower>();
	/** The nodes whose pods are watched, where that is decided as things go. */
	readonly #followedPods: FollowedPods | undefined;
	/** By collection, as long as not every one has been listed, or has failed (nodes: was forbidden), once. */
	#opening: Observation[][] | undefined = [];
	readonly #unsettled = new Set<number>();
	readonly #gaps = new Gaps();
	readonly #troubles: (Problem | undefined)[] = [];
	#reported = '[]';
	readonly #tasks = new TaskGroup();
	readonly #pulse: Pulse;

	constructor(
		{transport, identity}: {readonly transport: Transport; readonly identity: ClusterIdentity},
		selection: Selection,
		timing: Timing,
		onChange: OnChange,
		onProblems: OnProblems,
	) {
		this.#transport = transport;
		this.#identity = identity;
		this.#selection = selection;
		this.#timing = timing;
		this.#onChange = onChange;
		this.#onProblems = onProblems;
		if (selection.pods.type === 'chosen') {
			this.#followedPods = new FollowedPods(selection, this.#decoder, (resource, signal, inherited) =>
				this.#follow(resource, signal, inherited),
			);
		}
		this.#pulse = new Pulse({
			timing,
			ask: (signal) => answersAboutLeases(transport, signal),
			confirmed: () => {
				if (!this.#opening) this.#onChange([], timing.now(), {type: 'confirmed'});
			},
			changed: (isSilent) => this.#changeSight(isSilent),
			looked: () => {
				for (const reflector of this.#reflectors) reflector.look();
			},
		});
	}

	/**
	 * Runs until aborted.
	 *
	 * @throws UserError where the nodes cannot be read from the start (that they may not is a problem); AnotherClusterError
	 *   where another cluster answers when a watch is opened again
	 */
	async run(signal: AbortSignal): Promise<void> {
		const decoder = this.#decoder;
		await this.#tasks.until(signal, (untilEnd) => {
			this.#tasks.add(this.#pulse.run(untilEnd));
			// Before the nodes: they date what is seen of these.
			for (const reports of events(this.#selection, decoder)) this.#follow(reports, untilEnd);
			this.#follow(nodes(decoder), untilEnd);
			this.#follow(nodeLeases(decoder), untilEnd);
			const isInEndpoints = isLeaderInEndpoints(this.#selection.kubernetesVersion);
			this.#follow(isInEndpoints ? leaderEndpoints(decoder) : leaderLease(decoder), untilEnd);
			for (const pods of fixedCollections(this.#selection.pods, labelsOf(this.#selection), decoder)) {
				this.#follow(pods, untilEnd);
			}
			if (this.#followedPods) this.#tasks.add(this.#chooseUntil(untilEnd));
		});
	}

	/** Starts to follow a collection, and tells how that goes. */
	#follow<T>(resource: Resource<T>, signal: AbortSignal, inherited?: () => Iterable<string>): Followed {
		const index = this.#troubles.push(undefined) - 1;
		const listed = Promise.withResolvers<void>();
		const sink = this.#newSink(resource, index, listed.resolve);
		const isDated = resource.isDated && isDatingWrites(this.#selection.kubernetesVersion);
		const told = {...resource, isDated};
		const reflector = new Reflector(this.#transport, told, sink, this.#timing, inherited);
		this.#reflectors.add(reflector);
		const run = reflector.run(signal).finally(() => {
			this.#reflectors.delete(reflector);
			this.#troubles[index] = undefined;
			this.#gaps.lost(index, undefined);
		});
		this.#tasks.add(run);
		return {listed: listed.promise, known: () => reflector.known};
	}

	/** Looks again and again whose pods are wanted. */
	async #chooseUntil(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			// While renewals are not seen, that a node has none tells nothing.
			const isSeeing = !this.#opening && this.#gaps.lostSince === undefined;
			if (isSeeing) this.#followedPods?.update(this.#pulse.heardAt, signal);
			await this.#timing.sleep(second, signal);
		}
	}

	#newSink<T>({name, isEssential}: Resource<T>, index: number, onListed: () => void): Sink {
		this.#opening?.push([]);
		if (this.#opening) this.#unsettled.add(index);
		// Events carry their own times, and may be missing anyway: a gap in them tells nothing, and costs nothing.
		const mayBeMissed = name === 'Events';
		return {
			emit: (observations, arrivedAt, told) => {
				const sight = mayBeMissed ? undefined : told;
				const held = this.#opening?.[index];
				if (name !== 'Pods' && !held) this.#followedPods?.observe(observations, arrivedAt);
				if (!held) this.#onChange(observations, arrivedAt, sight);
				else for (const observation of observations) held.push(observation);
				onListed();
			},
			report: (trouble) => {
				this.#troubles[index] = trouble && problemOf(name, trouble);
				this.#publishProblems();
				// Without its node, a pod would look like one whose node was deleted: nodes are waited for, if they may be read.
				if (!trouble || !isEssential || hasStatus(trouble, 403)) this.#settle(index);
			},
			missed: (from, to) => {
				if (!mayBeMissed) this.#gaps.missed(from, to);
			},
			lost: (since) => {
				if (mayBeMissed) return;
				const hasChanged = this.#gaps.lost(index, since);
				if (!hasChanged || this.#opening) return;
				this.#onChange([], this.#timing.now(), {type: 'watchLost', since: this.#gaps.lostSince});
				this.#publishProblems();
			},
			reportFlaw: this.#decoder.report,
			heard: () => this.#pulse.heard(),
			heardAt: () => this.#pulse.heardAt,
			verify: (signal) => this.#identity.verify(signal),
			suspect: () => {
				for (const reflector of this.#reflectors) reflector.reopen();
			},
		};
	}

	#settle(index: number): void {
		if (!this.#opening) return;
		this.#unsettled.delete(index);
		if (this.#unsettled.size > 0) return;
		const now = this.#timing.now();
		const observations = this.#opening.flat();
		// The pods of the nodes that are in trouble now belong to the first state.
		if (this.#followedPods?.begin(observations, now, this.#tasks.signal)) return;
		this.#opening = undefined;
		// Also where nothing may be seen: whoever waits for the first look has to say so.
		this.#onChange(observations, now, {type: 'confirmed'});
	}

	/** Over another connection all may be heard: what is asked from here on goes over new ones. */
	#changeSight(isSilent: boolean): void {
		if (isSilent) this.#transport.distrustConnections();
		for (const reflector of this.#reflectors) {
			if (isSilent) reflector.loseSight();
			else reflector.regainSight();
		}
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
