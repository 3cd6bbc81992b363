import {UserError} from '../src/cluster/userError.ts';

/** A command line that cannot be understood; the hint is kubectl's. */
export const usageError = (message: string): UserError =>
	new UserError(message, "See 'kubectl evictwatch --help' for usage.");

/** A flag whose value cannot be understood. */
export const invalidValue = (flag: string, value: string, reason: string): UserError =>
	usageError(`invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${reason}`);
