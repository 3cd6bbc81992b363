import {UserError} from '../../src/text/userError.ts';
import {nearest} from './nearest.ts';

/** A command line that cannot be understood; the hint is kubectl's, which names the command. */
export class UsageError extends UserError {
	constructor(message: string, command?: string) {
		super(message, `See 'kubectl evictwatch ${command ? `${command} ` : ''}--help' for usage.`);
	}
}

export const usageError = (message: string): UserError => new UsageError(message);

/** A flag whose value cannot be understood. */
export const invalidValue = (flag: string, value: string, reason: string): UserError =>
	usageError(`invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${reason}`);

/** A command that there is not, with the one that was perhaps meant, of those that there are. */
export function unknownCommand(word: string, known: readonly string[]): UserError {
	const suggestion = nearest(word, known);
	return usageError(`unknown command "${word}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`);
}
