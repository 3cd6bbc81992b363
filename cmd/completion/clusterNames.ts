import type {NameSource} from '../../src/cluster/names.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import {fileFlags, selectionFlags} from '../args/flagGroups/commandFlags.ts';
import {connectionFlags} from '../args/flagGroups/connectionFlags.ts';
import {parseArguments} from '../args/flagValues.ts';
import {readArguments} from '../args/kubectlGrammar.ts';
import type {PartialLine} from './complete.ts';

/** How long a shell waits for names, from the start of the process. */
const patience: Duration = 500;

/** EVICTWATCH_COMPLETION_TIMEOUT in milliseconds, for slow credentials; else the default. */
export function patienceOf(env: NodeJS.ProcessEnv): Duration {
	const asked = Number(env['EVICTWATCH_COMPLETION_TIMEOUT'] ?? Number.NaN);
	return asked >= 0 ? asked : patience;
}

/** Finds names, using the flags on the line. Returns none after an error or the deadline. */
export async function findNames(
	source: NameSource,
	{whole}: Pick<PartialLine, 'whole'>,
	remaining: Duration,
): Promise<readonly string[]> {
	const timeout = AbortSignal.timeout(Math.max(1, Math.round(remaining)));
	// Written by hand, as importing `orAborted` would load modules that completion does not need.
	const late = new Promise<readonly string[]>((resolve) =>
		timeout.addEventListener('abort', () => resolve([]), {once: true}),
	);
	return Promise.race([read(source, whole, timeout).catch(() => []), late]);
}

async function read(
	source: NameSource,
	whole: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const table = {...connectionFlags, ...fileFlags, ...selectionFlags};
	const known = readArguments(whole).flags.filter(([name]) => Object.hasOwn(table, name));
	const {flags} = parseArguments(table, {flags: known, positionals: []});
	// Names in files are not offered: a file may be large.
	if (flags.filename.length > 0) return [];
	const {readNames} = await import('../../src/cluster/names.ts');
	return readNames(source, flags, flags.allNamespaces, signal);
}
