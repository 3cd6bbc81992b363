import {setImmediate} from 'node:timers/promises';
import {type HttpAnswer, plainAnswer} from './answer.ts';

/** A few scrapers and browsers at one time. */
const mostAtOnce = 16;

const busy: HttpAnswer = {
	...plainAnswer(503, 'Too many pages are asked for at once.\n'),
	headers: {'retry-after': '1'},
};

/**
 * Lets the event loop turn once before each page, so that whoever asks for many at once, of a large cluster, keeps no probe
 * waiting for longer than one page takes. Where too many are unfinished, more are refused.
 */
export class PageQueue {
	#unfinished = 0;
	#turn: Promise<unknown> = Promise.resolve();

	/** Makes a page once its turn comes. @throws as `page` */
	async make(page: () => HttpAnswer | Promise<HttpAnswer>): Promise<HttpAnswer> {
		if (this.#unfinished >= mostAtOnce) return busy;
		this.#unfinished += 1;
		this.#turn = this.#turn.then(() => setImmediate());
		try {
			await this.#turn;
			return await page();
		} finally {
			this.#unfinished -= 1;
		}
	}
}
