import {parseGoDuration} from '../../src/core/model/goValues.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import {invalidValue} from './usageError.ts';

/** A flag's length of time, which must be more than none; undefined where it is not given. @throws UsageError */
export function positiveDuration(flag: string, text: string | undefined): Duration | undefined {
	if (text === undefined) return undefined;
	try {
		const length = parseGoDuration(text);
		if (length > 0) return length;
	} catch (error) {
		throw invalidValue(flag, text, error instanceof Error ? error.message : String(error));
	}
	throw invalidValue(flag, text, 'must be positive');
}
