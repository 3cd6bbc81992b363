import type {Timing} from '../../src/async/timing.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {batch, Observation, Provenance} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {repairKey} from '../../src/core/model/repairObject.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {bareEnvironment, instantTiming} from './testEnvironment.ts';

/** Follows a cluster, and keeps everything that it receives, for tests to wait for. */
export class Follower {
	readonly calls: (readonly Observation[])[] = [];
	/** The latest provenance of each collection. */
	readonly provenances = new Map<string, Provenance | undefined>();
	/** How often the watch was confirmed to be complete. */
	confirmed = 0;
	/** Since when some collection is not observed, by the last report. */
	lostSince: Instant | undefined;
	problems: readonly Problem[] = [];
	/** Settles when the watch has ended. */
	readonly done: Promise<void>;
	readonly #abort = new AbortController();
	readonly #waiting = new Set<() => void>();
	#close: () => unknown = () => undefined;

	/** Follows the cluster of a server, and closes it in the end. */
	static async of(server: string, timing: Timing = instantTiming()): Promise<Follower> {
		const cluster = await connect({server}, bareEnvironment(), timing);
		const follower = new Follower(cluster);
		follower.#close = () => cluster.close();
		return follower;
	}

	constructor(cluster: Cluster, selection: Selection = {pods: {type: 'all'}}) {
		const look = () => {
			for (const waiter of this.#waiting) waiter();
		};
		const watching = cluster.watch(
			selection,
			{
				push: (entry) => {
					if (entry.type === 'problems') this.problems = entry.problems;
					if (entry.type === 'batch') this.#hear(entry);
					look();
				},
			},
			this.#abort.signal,
		);
		this.done = watching.then(() => undefined);
		this.done.catch(() => undefined);
	}

	#hear({observations, provenance}: ReturnType<typeof batch>): void {
		this.calls.push(observations);
		if (provenance?.type === 'confirmed') this.confirmed += 1;
		if (provenance?.type === 'watchLost') this.lostSince = provenance.since;
		for (const observation of observations) this.provenances.set(describe(observation), provenance);
	}

	/** The type and object of each observation, in order: `nodeApplied n1`. */
	get received(): readonly string[] {
		return this.calls.flat().map(describe);
	}

	/** Resolves as soon as a condition holds; the test's own timeout is its limit. */
	until(holds: () => boolean): Promise<void> {
		return new Promise((resolve) => {
			const waiter = () => {
				if (!holds()) return;
				this.#waiting.delete(waiter);
				resolve();
			};
			this.#waiting.add(waiter);
			waiter();
		});
	}

	untilReceived(what: string): Promise<void> {
		return this.until(() => this.received.includes(what));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#abort.abort();
		await this.done.catch(() => undefined);
		await this.#close();
	}
}

function describe(observation: Observation): string {
	const {type} = observation;
	switch (type) {
		case 'nodeApplied':
			return `${type} ${observation.node.name}`;
		case 'nodeDeleted':
			return `${type} ${observation.name}`;
		case 'podApplied':
			return `${type} ${observation.pod.namespace}/${observation.pod.name}`;
		case 'leaseApplied':
			return `${type} ${observation.lease.namespace}/${observation.lease.name}`;
		case 'eventApplied':
			return `${type} ${observation.event.namespace}/${observation.event.name}`;
		case 'repairApplied':
			return `${type} ${repairKey(observation.object)}`;
		case 'repairDeleted':
			return `${type} ${observation.key}`;
		case 'deviceObjectApplied':
			return `${type} ${observation.object.kind} ${observation.object.name}`;
		case 'deviceObjectDeleted':
			return `${type} ${observation.kind} ${observation.key}`;
		default:
			return `${type} ${observation.namespace}/${observation.name}`;
	}
}
