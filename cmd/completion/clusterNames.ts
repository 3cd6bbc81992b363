import type {Duration} from '../../src/core/time/instant.ts';
import {connectionFlags} from '../args/flagGroups/connectionFlags.ts';
import {selectionFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {parseArguments} from '../args/flagValues.ts';
import {readArguments} from '../args/kubectlGrammar.ts';
import {commands} from '../commands/commandTable.ts';
import type {PartialLine} from './partialLine.ts';

/** Where names are found: in the cluster, or in the kubeconfig. */
export type NameSource =
	| 'pods'
	| 'nodes'
	| 'zones'
	| 'namespaces'
	| 'devices'
	| 'contexts'
	| 'clusters'
	| 'users';

/** How long a shell may wait for names, from the start of the process on. */
const patience: Duration = 500;

/**
 * How long to wait for names: EVICTWATCH_COMPLETION_TIMEOUT in milliseconds, for those whose credentials take their time.
 */
export function patienceOf(env: Readonly<Record<string, string | undefined>>): Duration {
	const asked = Number(env['EVICTWATCH_COMPLETION_TIMEOUT'] ?? Number.NaN);
	return asked >= 0 ? asked : patience;
}

/** Finds names as the flags on the line say; none where that fails, or is not done in time. */
export async function findNames(
	source: NameSource,
	{whole}: Pick<PartialLine, 'whole'>,
	remaining: Duration,
): Promise<readonly string[]> {
	const timeout = AbortSignal.timeout(Math.max(1, Math.round(remaining)));
	// By hand: what `orAborted` stands beside in the built program is heavy, and completion loads none of it.
	const late = new Promise<readonly string[]>((resolve) =>
		timeout.addEventListener('abort', () => resolve([]), {once: true}),
	);
	const reading = read(source, whole, timeout).catch(() => []);
	return Promise.race([reading, late]);
}

async function read(
	source: NameSource,
	whole: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const table = {...connectionFlags, ...fileFlags, ...selectionFlags};
	const known = readArguments(whole, commands.flags).flags.filter(([name]) => Object.hasOwn(table, name));
	const {flags} = parseArguments(table, {flags: known, positionals: []});
	// What a file holds is not looked for: it may be large.
	if (flags.filename.length > 0) return [];
	const {readNames} = await import('../../src/cluster/names.ts');
	return readNames(source, flags, flags.allNamespaces, signal);
}
