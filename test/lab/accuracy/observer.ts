import {setTimeout as sleep} from 'node:timers/promises';
import {type Cluster, connect} from '../../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {batch} from '../../../src/core/model/observation.ts';
import {noExecuteTaints} from '../../../src/core/tainteviction/taintEvictionController.ts';
import type {Recording} from './recording.ts';

const rare = 10_000;
const everything = {pods: {type: 'all'}} as const;

/** Watches a cluster with the project's own client, also lists it regularly, and keeps both. */
export class Observer {
	readonly observed: Recording['observed'][number][] = [];
	readonly snapshots: ClusterSnapshot[] = [];
	readonly #cluster: Cluster;
	readonly #end = new AbortController();
	readonly #tainted = new Set<string>();
	readonly #work: Promise<unknown>[] = [];
	readonly #lookEvery: number;
	readonly #warn: (line: string) => void;

	constructor(cluster: Cluster, lookEvery: number, warn: (line: string) => void) {
		this.#cluster = cluster;
		this.#lookEvery = lookEvery;
		this.#warn = warn;
	}

	static async start(kubeconfig: string, lookEvery: number, warn: (line: string) => void): Promise<Observer> {
		const observer = new Observer(await connect({kubeconfig}), lookEvery, warn);
		observer.#begin();
		return observer;
	}

	async look(): Promise<void> {
		try {
			this.snapshots.push(await this.#cluster.snapshot(everything));
		} catch (error) {
			this.#warn(`no look: ${error}`);
		}
	}

	async stop(): Promise<void> {
		this.#end.abort();
		await Promise.allSettled(this.#work);
		await this.#cluster.close();
		// Two concurrent lists may end in another order.
		this.snapshots.sort((a, b) => a.observedAt - b.observedAt);
	}

	#begin(): void {
		const {signal} = this.#end;
		const watch = this.#cluster.watch(
			everything,
			{
				push: (entry) => {
					if (entry.type === 'batch') this.#onChange(entry);
					else if (entry.type === 'problems')
						this.#warn(`problems: ${entry.problems.map(({message}) => message).join('; ') || 'none'}`);
				},
			},
			signal,
		);
		this.#work.push(
			watch.catch((error) => this.#warn(`the watch ended: ${error}`)),
			this.#lookAgainAndAgain(signal),
		);
	}

	async #lookAgainAndAgain(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			// The end of the watch does not wait for the next look.
			const pause = sleep(this.#lookEvery, undefined, {signal}).catch(() => undefined);
			await Promise.all([this.look(), pause]);
		}
	}

	/** A forecast right after a taint needs a list then, unless lists are rare because they are large. */
	#onChange({at, observations, provenance}: ReturnType<typeof batch>): void {
		this.observed.push({at, observations, ...(provenance && {provenance})});
		if (this.#lookEvery > rare) return;
		const fresh = observations.filter(
			(one) => one.type === 'nodeApplied' && this.#isFreshlyTainted(one.node),
		);
		if (fresh.length > 0) this.#work.push(this.look());
	}

	#isFreshlyTainted(node: Parameters<typeof noExecuteTaints>[0] & {readonly name: string}): boolean {
		const [was, is] = [this.#tainted.has(node.name), noExecuteTaints(node).length > 0];
		if (is) this.#tainted.add(node.name);
		else this.#tainted.delete(node.name);
		return is && !was;
	}
}
