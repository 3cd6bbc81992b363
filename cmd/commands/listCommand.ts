import type {FlagTable} from '../args/flagSpec.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

/** Shared by the commands that list or watch objects of one kind. */
export const listCommand = {
	outputs: listOutputs,
	run: async (options, terminal) => (await import('../lists/listAction.ts')).list(options, terminal),
} as const satisfies Pick<Command, 'outputs' | 'run'>;

export const flagsWithout = <Table extends FlagTable, Name extends keyof Table & string>(
	flags: Table,
	...names: readonly Name[]
): Omit<Table, Name> =>
	Object.fromEntries(
		Object.entries(flags).filter(([name]) => !names.some((one) => one === name)),
	) as unknown as Omit<Table, Name>;
