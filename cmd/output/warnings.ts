import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {inTimeZone} from '../../src/dates/format.ts';
import {withPasted} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';

/** The time zone and the request. */
type WarnedOptions = Pick<Options, 'timeZone' | 'flags' | 'filenames' | 'at'>;

/** Problems in the form of the API server's warnings. */
export const warnings = (problems: readonly Problem[], now: Instant, options: WarnedOptions): string =>
	problems
		.map(({reason, message}) => {
			const text = withPasted(inTimeZone(message, now, options.timeZone), connectionOf(options));
			return `Warning: ${reason}: ${text}\n`;
		})
		.join('');
