import type {Options} from '../args/options.ts';
import {hasScreen} from '../output/hasScreen.ts';
import type {Terminal} from '../output/terminal.ts';

/** Where no command is named: the dashboard on a terminal, the table of pods elsewhere. */
export async function dashboardOrList(options: Options, terminal: Terminal): Promise<number> {
	if (isForScreen(options) && hasScreen()) {
		const {dashboard} = await import('./dashboard.ts');
		return dashboard(options);
	}
	const {list} = await import('../output/list.ts');
	return list(options, terminal);
}

// Whoever asks for output in a form, for a file or for an exit code wants to read it, not to watch.
const isForScreen = ({output, watch, exitCode, filenames, flags}: Options): boolean =>
	output === 'table' &&
	!(watch || exitCode || flags.debug || filenames.length > 0) &&
	[flags.selector, flags.fieldSelector].every((value) => value === undefined);
