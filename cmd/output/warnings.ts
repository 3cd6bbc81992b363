import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {inTimeZone} from '../../src/dates/format.ts';
import {withPasted} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';

/** Problems in the form of the API server's warnings. */
export const warnings = (problems: readonly Problem[], now: Instant, options: Options): string =>
	problems
		.map(({reason, message}) => {
			const text = withPasted(inTimeZone(message, now, options.timeZone), connectionOf(options));
			return `Warning: ${reason}: ${text}\n`;
		})
		.join('');

/** Tells a watch which problems are new to it, so that each is printed once while it lasts. */
export class FreshWarnings {
	#last: ReadonlySet<string> = new Set();

	/** Those that the last call did not have: problems, or whole lines. */
	among<Warning extends Problem | string>(all: readonly Warning[]): readonly Warning[] {
		const fresh = all.filter((one) => !this.#last.has(keyOf(one)));
		this.#last = new Set(all.map(keyOf));
		return fresh;
	}
}

const keyOf = (one: Problem | string): string =>
	typeof one === 'string' ? one : `${one.reason} ${one.message}`;
