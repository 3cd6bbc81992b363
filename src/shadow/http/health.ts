import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {ShadowView} from '../shadowView.ts';
import {type HttpRoute, plainAnswer} from './answer.ts';

/** There is a forecast each second; of a large cluster it may take some. After this nobody believes that one comes. */
const longestSilence: Duration = 5 * minute;

/** One thing that must hold; null where it does. */
export type Check = {readonly name: string; readonly failure: string | null};

/**
 * Whether this process does its work. It is alive as long as forecasts come, even while the cluster cannot be reached: to
 * start it anew would lose what it has seen. It is ready once the cluster was read whole, as long as all of it is seen,
 * until it is told to stop.
 */
export class Health {
	readonly #now: () => Instant;
	#view: ShadowView | undefined;
	#changedAt: Instant | undefined;
	#isStopping = false;

	/** @param now this machine's clock, which nothing turns back */
	constructor(now: () => Instant) {
		this.#now = now;
	}

	readonly changed = (view: ShadowView): void => {
		this.#view = view;
		this.#changedAt = this.#now();
	};

	/** From here on nobody shall send anything here any more. */
	stop(): void {
		this.#isStopping = true;
	}

	/** What `/livez` asks: whether it helps to start this process anew. */
	live(): readonly Check[] {
		const silence = this.#changedAt === undefined ? 0 : this.#now() - this.#changedAt;
		const isStuck = silence > longestSilence;
		return [
			{name: 'forecasts', failure: isStuck ? `none for ${Math.round(silence / minute)} minutes` : null},
		];
	}

	/** Since when not all of the cluster is seen; null while it is. */
	get #gap(): string | null {
		const open = this.#view?.gaps.find(({until}) => until === null);
		return open ? `not all of the cluster is seen since ${formatTimestamp(open.from)}` : null;
	}

	/** What `/readyz` asks: whether what is told here can be believed. */
	ready(): readonly Check[] {
		return [
			{
				name: 'synced',
				failure: this.#view?.hasSynced === true ? null : 'the cluster has not been read whole yet',
			},
			{name: 'watching', failure: this.#gap},
			{name: 'not-stopping', failure: this.#isStopping ? 'this process is stopping' : null},
			...this.live(),
		];
	}
}

/** Answers as Kubernetes' own components do: `ok`, or which of the checks failed, and why. */
export const healthRoute =
	(name: string, checks: () => readonly Check[]): HttpRoute =>
	() => {
		const all = checks();
		if (all.every(({failure}) => failure === null)) return plainAnswer(200, 'ok\n');
		const lines = all.map((check) =>
			check.failure === null ? `[+]${check.name} ok` : `[-]${check.name} failed: ${check.failure}`,
		);
		return plainAnswer(503, `${lines.join('\n')}\n${name} check failed\n`);
	};
