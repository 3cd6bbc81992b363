import {screenFlags} from '../args/flagGroups/screenFlags.ts';
import {contextFlags} from '../args/flagGroups/sourceFlags.ts';
import type {Options} from '../args/options.ts';
import {hasScreen} from '../output/terminal.ts';
import {clusters} from './clusters.ts';
import type {Command} from './command.ts';
import {pods} from './pods.ts';

/** Runs without a command: the dashboard on a terminal, else the table of pods. */
export const dashboard = {
	...pods,
	aliases: [],
	summary: 'Predict which pods an outage evicts next, when, and why',
	usage: ['[COMMAND] [NAME...] [flags]'],
	examples: [],
	flags: {...pods.flags, ...contextFlags, ...screenFlags},
	completes: 'commands',
	async run(options: Options<typeof contextFlags>, terminal) {
		const isOfSeveral = options.flags.contexts.length > 0 || options.flags.allContexts;
		if (!isForScreen(options) || !hasScreen()) return (isOfSeveral ? clusters : pods).run(options, terminal);
		const {dashboard: show} = await import('../dashboard/dashboardAction.ts');
		return show(options);
	},
} as const satisfies Command;

// With an output format, a file or --exit-code, the user wants to read, not to watch.
const isForScreen = ({output, watch, exitCode, filenames, flags}: Options): boolean =>
	output === 'table' &&
	!(watch || exitCode || flags.debug || filenames.length > 0) &&
	[flags.selector, flags.fieldSelector].every((value) => value === undefined);
