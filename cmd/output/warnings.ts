import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {inTimeZone} from '../../src/dates/format.ts';
import {withPasted} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';

/** Problems in the form of the API server's warnings. */
export const warnings = (problems: readonly Problem[], now: Instant, options: Options) =>
	problems
		.map(({reason, message}) => {
			const text = withPasted(inTimeZone(message, now, options.timeZone), connectionOf(options));
			return `Warning: ${reason}: ${text}\n`;
		})
		.join('');

/** Tells a watch which problems, or whole lines, the last call did not have, so that each is printed once while it lasts. */
export function freshWarnings() {
	let last: ReadonlySet<string> = new Set();
	return <Warning extends Problem | string>(all: readonly Warning[]): readonly Warning[] => {
		const before = last;
		last = new Set(all.map(keyOf));
		return all.filter((one) => !before.has(keyOf(one)));
	};
}

const keyOf = (one: Problem | string) => (typeof one === 'string' ? one : `${one.reason} ${one.message}`);
