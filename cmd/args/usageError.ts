import {ascending} from '../../src/core/collections/ascending.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';

/** The questions of an outage, the commands that answer them, and words that people type instead. */
export const questions = [
	{
		command: 'status',
		rest: '',
		answer: 'the outage on one page, and when it ends',
		guesses: ['when', 'end', 'ends', 'eta', 'next', 'outage', 'overview', 'info', 'cluster-info'],
	},
	{
		command: 'pods',
		rest: '-A',
		answer: 'which pods are next, and when; -w keeps watching',
		guesses: ['who', 'which', 'list', 'ls', 'watch', 'evictions', 'evicted', 'forecast', 'predict'],
	},
	{
		command: 'explain',
		rest: 'POD|node/NAME',
		answer: 'why it is evicted, or why not',
		guesses: ['why', 'why-not', 'reason', 'cause'],
	},
	{
		command: 'rescue',
		rest: 'POD|deploy/NAME',
		answer: 'how to save it, and until when',
		guesses: ['save', 'keep', 'fix', 'prevent', 'protect', 'stop', 'recover'],
	},
	{
		command: 'workloads',
		rest: '-A',
		answer: 'which workloads reach zero, and when',
		guesses: ['zero', 'impact', 'apps', 'all'],
	},
	{
		command: 'what-if',
		rest: '--node-down NODE',
		answer: 'what one more dead node would do',
		guesses: ['kill', 'fail', 'lose', 'down', 'simulate', 'suppose'],
	},
	{
		command: 'what-if',
		rest: '--drain NODE',
		answer: 'what kubectl drain would do, and what blocks it',
		guesses: ['drain', 'cordon', 'evict', 'pdb', 'budget'],
	},
	{
		command: 'what-if',
		rest: '--each-zone',
		answer: 'which loss would be the worst; --each-node too',
		guesses: ['worst', 'each', 'rehearse', 'rehearsal', 'gameday'],
	},
	{
		command: 'zones',
		rest: '',
		answer: 'how fast zones evict, what stops and resumes that',
		guesses: ['held', 'rate', 'region', 'regions'],
	},
];

/** The most similar candidate for a misspelt word; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	const near = candidates
		.map((candidate) => ({candidate, distance: editDistance(word, candidate)}))
		.filter(({candidate, distance}) => distance <= tolerated(Math.min(word.length, candidate.length)))
		.toSorted(ascending(({distance}) => distance));
	return near[0]?.candidate ?? shortest(candidates.filter((candidate) => candidate.startsWith(word)));
}

const shortest = (words: readonly string[]): string | undefined =>
	words.toSorted(ascending(({length}) => length))[0];

// One typo per three letters, two from five letters on; `po` does not match `no`.
const tolerated = (length: number): number => Math.max(Math.floor(length / 3), length < 5 ? 0 : 2);

// Damerau's distance: letters to insert, delete, replace, or swap with a neighbour.
function editDistance(from: string, to: string): number {
	let beforePrevious: number[] = [];
	let previous = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			current[column] = Math.min(
				at(previous, column - 1) + (isSame ? 0 : 1),
				at(previous, column) + 1,
				at(current, column - 1) + 1,
				isSwapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		[beforePrevious, previous] = [previous, current];
	}
	return at(previous, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** An invalid command line; its hint, as kubectl's, names the command. */
export class UsageError extends UserError {
	constructor(message: string, command?: string) {
		super(message, `See 'kubectl evictwatch ${command ? `${command} ` : ''}--help' for usage.`);
	}
}

export const usageError = (message: string): UserError => new UsageError(message);

export const invalidValue = (flag: string, value: string, reason: string): UserError =>
	usageError(`invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${reason}`);

const emptyNames: readonly string[] = [];

/** The error for an unknown command, with a suggestion by question or by spelling. */
export function unknownCommand(
	word: string,
	known: readonly string[],
	[name = 'NODE'] = emptyNames,
): UserError {
	const asked = questions.find(({guesses}) => guesses.includes(word.toLowerCase()));
	if (asked) {
		const rest = asked.rest.replace(/ NODE$/, ` ${shellWord(name)}`);
		const command = `kubectl evictwatch ${asked.command} ${rest}`.trimEnd();
		return new UserError(`unknown command "${word}"`, `To see ${asked.answer}: ${command}`);
	}
	const suggestion = nearest(word, known);
	return usageError(`unknown command "${word}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`);
}
