import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Command} from './command.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const own = {
	'install-shim': {
		type: 'string',
		optionalValue: /^[^-]/,
		completes: 'folders',
		help: 'Write kubectl_complete-evictwatch, which kubectl runs to complete, into this folder (default: beside kubectl-evictwatch).',
	},
} as const satisfies FlagTable;

export const completion = {
	aliases: [],
	summary: 'Make your shell complete commands, flags and names',
	description: [
		'If kubectl completes in your shell, "completion --install-shim" is enough for "kubectl evictwatch": kubectl 1.26 and newer',
		'run a program kubectl_complete-evictwatch from your PATH. The scripts are for kubectl-evictwatch called by itself.',
		'Names of pods, nodes, zones and namespaces are read with your credentials. A name that takes longer than 500 ms is not',
		'offered; EVICTWATCH_COMPLETION_TIMEOUT sets another limit in milliseconds. The script for PowerShell is untested.',
	],
	usage: [`(${shells.join('|')})`, '--install-shim [FOLDER]'],
	examples: [
		['Complete "kubectl evictwatch" wherever kubectl completes', 'completion --install-shim'],
		['Print the script for bash; source it in ~/.bashrc', 'completion bash'],
		[
			'Print the script for zsh; put it into a folder of your fpath, as _kubectl-evictwatch',
			'completion zsh',
		],
		['Print the script for fish; put it into ~/.config/fish/completions', 'completion fish'],
	],
	outputs: [],
	flags: own,
	completes: shells,
	async run({names, flags}: Options<typeof own>, terminal) {
		const [name, ...more] = names;
		if (flags.installShim !== undefined) {
			if (name !== undefined)
				throw usageError('--install-shim is for kubectl, whatever the shell: name none');
			const {installShim} = await import('../completion/shim.ts');
			const {path, hint} = await installShim(flags.installShim, process);
			await terminal.print(`${path}\n`);
			if (hint !== '') await terminal.printError(`Warning: ${hint}\n`);
			return 0;
		}
		const shell = shells.find((one) => one === name);
		if (shell === undefined || more.length > 0) throw usageError(`want one shell: ${shells.join(', ')}`);
		const {scripts} = await import('../completion/scripts.ts');
		await terminal.print(scripts[shell]);
		return 0;
	},
} as const satisfies Command;
