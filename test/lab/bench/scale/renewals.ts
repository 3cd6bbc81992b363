import {setTimeout as sleep} from 'node:timers/promises';
import type {Filling} from './fill.ts';

const renewEvery = 200;
/** How often each kubelet renews its lease, in milliseconds. */
export const renewInterval = 10_000;

/** Kubelets' lease renewals: each lease every ten seconds, evenly distributed. */
export class Renewals {
	readonly #end = new AbortController();
	readonly #done: Promise<void>;

	constructor(filling: Filling, names: readonly string[]) {
		this.#done = this.#run(filling, names);
		// `end` reports a failure; the code that stops etcd handles its end.
		this.#done.catch(() => undefined);
	}

	async end(): Promise<void> {
		this.#end.abort();
		await this.#done;
	}

	async #run(filling: Filling, names: readonly string[]): Promise<void> {
		await filling.renew(names, Date.now());
		const slice = Math.ceil((names.length * renewEvery) / renewInterval);
		for (let from = 0; !this.#end.signal.aborted; from = from + slice < names.length ? from + slice : 0) {
			const startedAt = performance.now();
			await filling.renew(names.slice(from, from + slice), Date.now());
			await sleep(Math.max(0, renewEvery - (performance.now() - startedAt)));
		}
	}
}
