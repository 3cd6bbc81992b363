import {UserError} from '../../src/text/userError.ts';
import {nearest} from './nearest.ts';
import {questions} from './questions.ts';

/** An invalid command line; its hint, as kubectl's, names the command. */
export class UsageError extends UserError {
	constructor(message: string, command?: string) {
		super(message, `See 'kubectl evictwatch ${command ? `${command} ` : ''}--help' for usage.`);
	}
}

export const usageError = (message: string): UserError => new UsageError(message);

export const invalidValue = (flag: string, value: string, reason: string): UserError =>
	usageError(`invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${reason}`);

/** The error for an unknown command, with a suggestion by question or by spelling. */
export function unknownCommand(word: string, known: readonly string[]): UserError {
	const asked = questions.find(({guesses}) => guesses.includes(word.toLowerCase()));
	if (asked) {
		const command = `kubectl evictwatch ${asked.command} ${asked.rest}`.trimEnd();
		return new UserError(`unknown command "${word}"`, `To see ${asked.answer}: ${command}`);
	}
	const suggestion = nearest(word, known);
	return usageError(`unknown command "${word}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`);
}
