import {text} from 'node:stream/consumers';
import {startPlugin} from '../plugin.ts';
import type {User} from './users.ts';

/** What one call of the plugin came to. */
export type Answer = {
	readonly command: string;
	readonly code: number | null;
	readonly output: string;
	readonly errors: string;
};

/** The longest a call may take. */
const limit = 60_000;
/** How long a watch goes on once it has shown something. */
const watching = 3000;

/** Runs the plugin as a user, to its end; what goes on, until a while after its first words. */
export async function ask(file: string, user: User, args: readonly string[]): Promise<Answer> {
	const end = new AbortController();
	const child = startPlugin({file, kubeconfig: user.kubeconfig, signal: end.signal}, args);
	// An abort is how a watch ends, and an error for the child.
	child.once('error', () => {});
	const {promise: closed, resolve} = Promise.withResolvers<number | null>();
	child.once('close', resolve);
	const timer = setTimeout(() => end.abort(), limit);
	if (args.includes('-w') || args[0] === 'shadow' || args[0] === 'demo') {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.once('data', () => setTimeout(() => end.abort(), watching));
		}
	}
	const [code, output, errors] = await Promise.all([
		closed,
		child.stdout ? text(child.stdout) : '',
		child.stderr ? text(child.stderr) : '',
	]);
	clearTimeout(timer);
	return {command: args.join(' '), code: end.signal.aborted && output !== '' ? 0 : code, output, errors};
}

/** The items and the reasons of the problems of an answer in JSON. */
export function readItems<Item>({output}: Answer): {
	readonly items: readonly Item[];
	readonly problems: readonly string[];
} {
	const {items, metadata} = JSON.parse(output) as {
		items: readonly Item[];
		metadata: {problems: readonly {reason: string}[]};
	};
	return {items, problems: metadata.problems.map(({reason}) => reason)};
}
