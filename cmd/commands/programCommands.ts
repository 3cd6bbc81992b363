import type {VersionJson} from '../../src/print/contract/version.ts';
import type {TextMap} from '../../src/text/textMap.ts';
import {
	completionFlags,
	contextFlags,
	generalFlags,
	outputFlags,
	programFlags,
	screenFlags,
	versionFlags,
} from '../args/flagGroups/commandFlags.ts';
import {connectionFlags} from '../args/flagGroups/connectionFlags.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {optionsSection} from '../args/helpText.ts';
import type {Options} from '../args/options.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import {programVersion} from '../args/program.ts';
import {usageError} from '../args/usageError.ts';
import {hasScreen} from '../output/terminal.ts';
import type {Command} from './command.ts';
import {clusters, pods} from './listCommands.ts';

/** Runs without a command: the dashboard on a terminal, else the table of pods. */
export const dashboard: Command = {
	...pods,
	aliases: [],
	summary: 'Predict which pods an outage evicts next, when, and why',
	usage: ['[COMMAND] [NAME...] [flags]'],
	examples: [],
	flags: {...pods.flags, ...contextFlags, ...screenFlags},
	completes: 'commands',
	async run(options: Options, terminal) {
		const isOfSeveral = options.flags.contexts.length > 0 || options.flags.allContexts;
		if (!isForScreen(options) || !hasScreen()) return (isOfSeveral ? clusters : pods).run(options, terminal);
		const {dashboard: show} = await import('../dashboard/dashboardAction.ts');
		return show(options);
	},
};

// With an output format, a file or --exit-code, the user wants to read, not to watch.
const isForScreen = ({output, watch, exitCode, filenames, flags}: Options) =>
	output === 'table' &&
	!(watch || exitCode || flags.debug || filenames.length > 0) &&
	[flags.selector, flags.fieldSelector].every((value) => value === undefined);

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion: Command = {
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
	flags: completionFlags,
	completes: shells,
	async run({names, flags}: Options, terminal) {
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
};

/** The versions of the program and the API server, in kubectl's form. The client's is printed even if no server answers. */
export const version: Command = {
	summary: 'Show the versions of evictwatch and of the API server',
	usage: ['[--client]'],
	examples: [
		['Show both versions', 'version'],
		['Show what a bug report needs, without a cluster', 'version --client -o yaml'],
	],
	outputs: structuredOutputs,
	schemas: ['version'],
	flags: {...versionFlags, ...outputFlags},
	async run(options: Options, terminal) {
		const asked = options.flags.client ? undefined : await ask(options);
		const serverVersion = asked?.status === 'fulfilled' ? {serverVersion: {gitVersion: asked.value}} : {};
		const versions: VersionJson = {clientVersion: clientVersion(), ...serverVersion};
		if (options.output === 'table') await terminal.print(textOf(versions));
		else {
			const {printAnswer} = await import('../output/documentPrinter.ts');
			const document = () => versions;
			await printAnswer({text: () => '', document, problems: [], now: 0}, {options, terminal});
		}
		if (asked?.status === 'rejected') throw asked.reason;
		return 0;
	},
};

const textOf = ({clientVersion: client, serverVersion}: VersionJson) =>
	[
		`Client Version: ${client.gitVersion}\n`,
		...(client.gitCommit === '' ? [] : [`Commit: ${client.gitCommit}\n`]),
		`Platform: ${client.platform}\n`,
		`Runtime: Node.js ${client.nodeVersion}\n`,
		...(serverVersion ? [`Server Version: ${serverVersion.gitVersion}\n`] : []),
	].join('');

function clientVersion(): VersionJson['clientVersion'] {
	return {
		gitVersion: programVersion,
		// Set by the build.
		gitCommit: process.env['EVICTWATCH_COMMIT'] ?? '',
		nodeVersion: `v${process.versions.node}`,
		platform: `${goNames[process.platform] ?? process.platform}/${goNames[process.arch] ?? process.arch}`,
	};
}

/** Go's names of platforms, where Node.js differs. */
const goNames: TextMap = {win32: 'windows', x64: 'amd64', ia32: '386'};

async function ask({flags}: Options): Promise<PromiseSettledResult<string>> {
	const {connect} = await import('../../src/cluster/cluster.ts');
	const [asked] = await Promise.allSettled([
		connect(flags).then((cluster) => cluster.version().finally(() => cluster.close())),
	]);
	return asked;
}

export const options: Command = {
	summary: 'Show the flags that every command takes',
	usage: [''],
	flags: {},
	async run(_, terminal) {
		const sections = [
			optionsSection('The following options can be passed to any command', {
				...generalFlags,
				...connectionFlags,
			}),
			optionsSection(
				'Flags of the controllers, for commands that predict (found out where possible; a flag wins)',
				controllerFlags,
			),
			optionsSection('The dashboard takes these as well', {...screenFlags, ...programFlags}),
		];
		await terminal.print(`${sections.join('\n\n')}\n`);
		return 0;
	},
};

export const help: Command = {
	summary: 'Show this help, or that of one command',
	usage: ['[COMMAND]'],
	flags: {},
	completes: 'commands',
	async run({help: text}, terminal) {
		await terminal.print(text);
		return 0;
	},
};
