import type {CommandSpec} from '../args/commandSpec.ts';
import type {FlagTable} from '../args/flagSpec.ts';

/** The shells that there are scripts for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** What only `completion` takes. */
export const completionFlags = {
	'install-shim': {
		type: 'string',
		optionalValue: /^[^-]/,
		completes: 'folders',
		help: 'Write kubectl_complete-evictwatch into this folder, by which kubectl completes; without one, beside kubectl-evictwatch.',
	},
} as const satisfies FlagTable;

/** What makes the shell complete. */
export const completion: CommandSpec = {
	aliases: [],
	summary: 'Make your shell complete commands, flags, and names from your cluster',
	description: [
		'Where kubectl itself completes, "completion --install-shim" is enough for "kubectl evictwatch": kubectl 1.26 and newer',
		'ask a program kubectl_complete-evictwatch on your PATH. The scripts are for kubectl-evictwatch by itself.',
		'Names of pods, nodes, zones and namespaces are asked for with your credentials. What takes longer than 300 ms is not',
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
	flags: completionFlags,
	completes: shells,
};
