import {spawn} from 'node:child_process';
import type {Readable} from 'node:stream';
import type {ExecPlugin} from './kubeconfig.ts';
import {pluginCommand} from './pluginCommand.ts';
import type {Surroundings} from './surroundings.ts';
import {messageOf, UserError} from './userError.ts';

/** What a plugin is told in KUBERNETES_EXEC_INFO. */
export type ExecInfo = {readonly spec: {readonly interactive: boolean}};

/**
 * Runs a credential plugin once and returns what it prints. What it says to the user goes through as it comes.
 *
 * @throws UserError where it cannot be started or fails, with its last words and its install hint.
 */
export async function runPlugin(
	plugin: ExecPlugin,
	info: ExecInfo,
	surroundings: Surroundings,
): Promise<string> {
	return info.spec.interactive
		? surroundings.lendTerminal(() => runToEnd(plugin, info, surroundings))
		: runToEnd(plugin, info, surroundings);
}

async function runToEnd(plugin: ExecPlugin, info: ExecInfo, surroundings: Surroundings): Promise<string> {
	const child = start(plugin, info, surroundings);
	const exit = new Promise<string>((resolve, reject) => {
		child.on('error', (error) => reject(pluginError(plugin, `cannot be started: ${messageOf(error)}`)));
		child.on('close', (code, signal) => resolve(signal ?? String(code)));
	});
	const [output, words, status] = await Promise.all([
		collect(child.stdout),
		collect(child.stderr, surroundings.writeError),
		exit,
	]);
	if (status === '0') return output;
	const lastWords = words.trim().split('\n').slice(-3).join('; ');
	throw pluginError(plugin, `failed (${status})${lastWords === '' ? '' : `: ${lastWords}`}`);
}

function start(plugin: ExecPlugin, info: ExecInfo, surroundings: Surroundings) {
	const {file, args, isVerbatim} = pluginCommand(plugin.command, plugin.args, surroundings);
	const own = Object.fromEntries(plugin.env);
	try {
		return spawn(file, args, {
			env: {...surroundings.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info)},
			stdio: [info.spec.interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
			windowsHide: true,
			windowsVerbatimArguments: isVerbatim,
		});
	} catch (error) {
		// Arguments that no process can take, as one with a zero byte, are refused at once.
		throw pluginError(plugin, `cannot be started: ${messageOf(error)}`);
	}
}

/** A failure of a credential plugin, with the hint that its kubeconfig gives for it. */
export function pluginError(plugin: ExecPlugin, what: string): UserError {
	const command = [plugin.command, ...plugin.args].join(' ');
	return new UserError(
		`the credential plugin ${plugin.command} ${what}`,
		plugin.installHint.trim().replaceAll(/\s*\n\s*/g, ' ') || `see what it says: ${command}`,
	);
}

async function collect(stream: Readable | null, pass?: (text: string) => void): Promise<string> {
	let text = '';
	if (!stream) return text;
	stream.setEncoding('utf8');
	for await (const chunk of stream) {
		pass?.(String(chunk));
		text += String(chunk);
	}
	return text;
}
