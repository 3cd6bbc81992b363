import {parseGoDuration} from '../../src/core/model/goValues.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import {messageOf} from '../../src/text/userError.ts';
import {invalidValue} from './usageError.ts';

// Parsers of numeric flags. Each returns undefined if the flag is not given, and throws a UserError if the value is
// invalid.

/** A duration in Go's form: `1m30s`. */
export function duration(flag: string, text: string | undefined): Duration | undefined {
	const length = anyDuration(flag, text);
	if (length !== undefined && length < 0) throw invalidValue(flag, text ?? '', 'must not be negative');
	return length;
}

/** A duration above zero. */
export function positiveDuration(flag: string, text: string | undefined): Duration | undefined {
	const length = anyDuration(flag, text);
	if (length !== undefined && length <= 0) throw invalidValue(flag, text ?? '', 'must be positive');
	return length;
}

function anyDuration(flag: string, text: string | undefined): Duration | undefined {
	if (text === undefined) return undefined;
	try {
		return parseGoDuration(text);
	} catch (error) {
		throw invalidValue(flag, text, messageOf(error));
	}
}

/** A number that is not negative: `0.5`, `1e3`. */
export function number(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\+?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) {
		throw invalidValue(flag, text, 'want a number that is not negative');
	}
	return Number(text);
}

/** An integer that is not negative. */
export function integer(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\+?\d+$/.test(text)) throw invalidValue(flag, text, 'want a whole number that is not negative');
	return Number(text);
}

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
