import {parseCommandLine} from './flags.ts';
import {hasScreen} from './hasScreen.ts';
import type {Options} from './options.ts';
import type {Terminal} from './terminal.ts';

/**
 * Runs one command line, and answers with the exit code. Every command loads only what it needs: help waits for no
 * transport.
 *
 * @throws UserError where the command line, the cluster or a file is at fault.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
	const options = parseCommandLine(argv);
	switch (options.command) {
		case 'help': {
			const {printHelp} = await import('./help.ts');
			return printHelp(options.names, terminal);
		}
		case 'version': {
			const {printVersion} = await import('./version.ts');
			return printVersion(options, terminal);
		}
		case 'explain': {
			const {explain} = await import('./explain.ts');
			return explain(options, terminal);
		}
		case 'what-if': {
			const {whatIf} = await import('./whatIf.ts');
			return whatIf(options, terminal);
		}
		case 'rescue': {
			const {rescue} = await import('./rescue.ts');
			return rescue(options, terminal);
		}
		case 'settings': {
			const {showSettings} = await import('./showSettings.ts');
			return showSettings(options, terminal);
		}
		case 'demo': {
			const {demo} = await import('./demo.ts');
			return demo(options, terminal);
		}
		case undefined: {
			if (isForScreen(options) && hasScreen()) {
				const {dashboard} = await import('./dashboard.ts');
				return dashboard(options);
			}
			const {list} = await import('./list.ts');
			return list(options, terminal);
		}
		default: {
			const {list} = await import('./list.ts');
			return list(options, terminal);
		}
	}
}

// Whoever asks for output in a form, for a file or for an exit code wants to read it, not to watch.
const isForScreen = ({output, watch, exitCode, filename, flags}: Options): boolean =>
	output === 'table' &&
	!(watch || exitCode || flags.debug) &&
	[filename, flags.selector, flags.fieldSelector].every((value) => value === undefined);
