import type {FlagTable} from '../args/flagSpec.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

/** What the commands have in common that list objects of one kind, or follow them. */
export const listCommand = {
	outputs: listOutputs,
	run: async (options, terminal) => (await import('../lists/listAction.ts')).list(options, terminal),
} as const satisfies Pick<Command, 'outputs' | 'run'>;

/** Flags without some that mean nothing to a command. */
export const flagsWithout = <Table extends FlagTable, Name extends keyof Table & string>(
	flags: Table,
	...names: readonly Name[]
): Omit<Table, Name> =>
	Object.fromEntries(
		Object.entries(flags).filter(([name]) => !names.some((one) => one === name)),
	) as unknown as Omit<Table, Name>;
