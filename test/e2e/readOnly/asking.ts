import {text} from 'node:stream/consumers';
import {startPlugin} from '../plugin.ts';
import type {User} from './users.ts';

/** The result of one call of the plugin. */
type Answer = {
	readonly command: string;
	readonly code: number | null;
	readonly output: string;
	readonly errors: string;
};

/** The longest a call may take. */
const limit = 60_000;
/** How long a watch runs after its first output, in milliseconds. */
const watching = 3000;

/** Runs the plugin as a user until it ends; a watch is ended some time after its first output. */
export async function ask(file: string, user: User, args: readonly string[]): Promise<Answer> {
	const end = new AbortController();
	const child = startPlugin({file, kubeconfig: user.kubeconfig, signal: end.signal}, args);
	// Watches are ended by an abort, which is an error event of the child.
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

/** The items of an answer in JSON, and the reasons of its problems. */
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
