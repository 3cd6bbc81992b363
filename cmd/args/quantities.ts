import {parseGoDuration} from '../../src/core/model/goValues.ts';
import {messageOf} from '../../src/text/userError.ts';
import {invalidValue} from './usageError.ts';

// Parsers of numeric flags. Each returns undefined if the flag is not given, and throws a UserError if the value is
// invalid.

/** A parser: `complain` finds what is wrong with a text, or with its value. */
const quantity =
	(read: (text: string) => number, complain: (value: number, text: string) => string | false) =>
	(flag: string, text: string | undefined): number | undefined => {
		if (text === undefined) return undefined;
		const value = readOr(read, flag, text);
		const complaint = complain(value, text);
		if (complaint) throw invalidValue(flag, text, complaint);
		return value;
	};

function readOr(read: (text: string) => number, flag: string, text: string): number {
	try {
		return read(text);
	} catch (error) {
		throw invalidValue(flag, text, messageOf(error));
	}
}

/** A duration in Go's form: `1m30s`. */
export const duration = quantity(parseGoDuration, (length) => length < 0 && 'must not be negative');

/** A duration above zero. */
export const positiveDuration = quantity(parseGoDuration, (length) => length <= 0 && 'must be positive');

/** A number that is not negative: `0.5`, `1e3`. */
export const number = quantity(
	Number,
	(_, text) => !/^\+?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) && 'want a number that is not negative',
);

/** An integer that is not negative. */
export const integer = quantity(
	Number,
	(_, text) => !/^\+?\d+$/.test(text) && 'want a whole number that is not negative',
);

const [slowest, fastest] = [0.1, 100];

/** The value of `--speed`: seconds per real second. */
export function speedOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
	if (speed >= slowest && speed <= fastest) return speed;
	throw invalidValue('speed', text, `want a number from ${slowest} to ${fastest}, such as 10`);
}

/** `a,b` and `c` of a repeated flag. */
export const listIn = (values: readonly string[]): readonly string[] =>
	values
		.flatMap((value) => value.split(','))
		.map((value) => value.trim())
		.filter((value) => value !== '');
