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
 * @throws UserError where it cannot be started or fails, with its install hint. Its own words and arguments, which may hold
 * secrets, are not in it.
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
	const [output, , status] = await Promise.all([
		collect(child.stdout),
		show(child.stderr, surroundings.showForeign, info.spec.interactive),
		exit,
	]);
	if (status === '0') return output;
	throw pluginError(plugin, `failed (${status})`);
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
		// Arguments that no process can take, as one with a zero byte, are refused at once, and shown.
		const {code = 'unknown error'} = error as NodeJS.ErrnoException;
		throw pluginError(plugin, `cannot be started: its arguments or variables cannot be passed on (${code})`);
	}
}

/** A failure of a credential plugin, with the hint that its kubeconfig gives for it. */
export function pluginError(plugin: ExecPlugin, what: string): UserError {
	return new UserError(
		`the credential plugin ${plugin.command} ${what}`,
		plugin.installHint.trim().replaceAll(/\s*\n\s*/g, ' ') ||
			'see what it says on standard error: kubectl get nodes runs it as well',
	);
}

async function collect(stream: Readable | null): Promise<string> {
	let text = '';
	if (!stream) return text;
	stream.setEncoding('utf8');
	for await (const chunk of stream) text += String(chunk);
	return text;
}

/** Shows words line by line, as a secret may come in two pieces; where the user is asked something, as they come. */
async function show(stream: Readable | null, pass: (text: string) => void, isAtOnce: boolean): Promise<void> {
	if (!stream) return;
	stream.setEncoding('utf8');
	let rest = '';
	for await (const chunk of stream) {
		const text = rest + String(chunk);
		const end = isAtOnce ? text.length : text.lastIndexOf('\n') + 1;
		if (end > 0) pass(text.slice(0, end));
		rest = text.slice(end);
	}
	if (rest !== '') pass(`${rest}\n`);
}
