import {win32} from 'node:path';
import type {Surroundings} from './surroundings.ts';

/** What `spawn` takes to run a command. */
export type PluginCommand = {
	readonly file: string;
	readonly args: readonly string[];
	/** Whether the arguments are quoted already, as only Windows wants it. */
	readonly isVerbatim: boolean;
};

type Around = Pick<Surroundings, 'platform' | 'env' | 'fileExists'>;

/**
 * How a credential plugin is started. On Windows a plugin that is a script (`.cmd`, `.bat`), as npm and gcloud install
 * them, is no program: it is found through PATH and PATHEXT and given to the shell, with every argument quoted by the
 * shell's rules, so that none can be taken for another command.
 */
export function pluginCommand(command: string, args: readonly string[], around: Around): PluginCommand {
	if (around.platform !== 'win32') return {file: command, args, isVerbatim: false};
	const file = findOnWindows(command, around) ?? command;
	if (!/\.(cmd|bat)$/i.test(file)) return {file, args, isVerbatim: false};
	const line = [forShell(win32.normalize(file)), ...args.map((arg) => forShell(quoted(arg)))].join(' ');
	return {file: around.env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true};
}

/** The file that Windows means by a command: itself, or with one of the endings of programs. */
function findOnWindows(command: string, {env, fileExists}: Around): string | undefined {
	const endings = (env['PATHEXT'] || '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
	const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
	const names = hasEnding ? [command] : endings.map((ending) => command + ending.toLowerCase());
	const path = env['Path'] ?? env['PATH'] ?? '';
	// The folder that we happen to be in is not looked into, as by Go: anybody may have put a file there.
	const folders = /[\\/]/.test(command) ? [''] : path.split(';').filter(Boolean);
	return folders.flatMap((folder) => names.map((name) => win32.join(folder, name))).find(fileExists);
}

/** An argument as the C library of the program that the script starts takes it apart. */
const quoted = (arg: string): string => `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** The same, kept from the shell. */
const forShell = (text: string): string => text.replaceAll(/[()[\]%!^"`<>&|;, *?]/g, '^$&');
