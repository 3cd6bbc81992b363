import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import {shells} from '../commands/completion.ts';
import type {Terminal} from '../output/terminal.ts';
import {scripts} from './scripts.ts';
import {installShim} from './shim.ts';

/** The command `completion`. */
export async function printCompletion({names, flags}: Options, terminal: Terminal): Promise<number> {
	const [name, ...more] = names;
	if (flags.installShim !== undefined) {
		if (name !== undefined) throw usageError('--install-shim is for kubectl, whatever the shell: name none');
		const {path, hint} = await installShim(flags.installShim, {env: process.env, platform: process.platform});
		await terminal.print(`${path}\n`);
		if (hint !== '') await terminal.printError(`Warning: ${hint}\n`);
		return 0;
	}
	const shell = shells.find((one) => one === name);
	if (shell === undefined || more.length > 0) throw usageError(`want one shell: ${shells.join(', ')}`);
	await terminal.print(scripts[shell]);
	return 0;
}
