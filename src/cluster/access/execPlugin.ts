import {spawn} from 'node:child_process';
import {win32} from 'node:path';
import type {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {textUpTo} from '../../async/textUpTo.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {keepSecret, opaqueWords} from '../../text/redact.ts';
import {codeOf, messageOf, UserError} from '../../text/userError.ts';
import {OwnedChild} from './childProcess.ts';
import type {Environment} from './environment.ts';
import type {ExecPlugin} from './kubeconfigEntries.ts';
import {allowedCommand} from './pluginPolicy.ts';

/** The most characters that a plugin may print: a credential has thousands. */
const longestOutput = 2 ** 20;
/** The most characters of its standard error that are passed on; one that prints without an end would fill the terminal. */
const mostWords = 2 ** 18;
/** The most words that are kept secret of one failure: more would push out other secrets. */
const mostSecrets = 20;
/** Turns of the event loop in which what a plugin wrote last is read; a pipe holds a turn's worth. */
const lastTurns = 10;

/** How a plugin exited by itself. */
export type Exited = {readonly output: string; readonly code: number};

/** The content of KUBERNETES_EXEC_INFO. */
type ExecInfo = {readonly spec: {readonly interactive: boolean}};

/**
 * Runs a credential plugin once, until it exits. Its standard error is passed on as it comes, with whatever is secret in it: what
 * `showForeign` may show of it is for the caller to know. A plugin with the terminal has no timeout.
 *
 * @throws UserError if it cannot be started, times out or is ended, with its install hint. The message leaves out its output
 * and arguments, which may hold secrets.
 */
export async function runPlugin(
	plugin: ExecPlugin,
	info: ExecInfo,
	environment: Environment,
	{limit, signal}: {readonly limit: Duration; readonly signal: AbortSignal},
): Promise<Exited> {
	if (info.spec.interactive)
		return environment.lendTerminal(() => runUntil(signal, plugin, info, environment));
	const late = AbortSignal.timeout(limit);
	return runUntil(AbortSignal.any([signal, late]), plugin, info, environment).catch((error: unknown) => {
		if (!late.aborted || signal.aborted) throw error;
		throw pluginError(plugin, `did not answer within ${Math.round(limit / second)}s`);
	});
}

async function runUntil(
	signal: AbortSignal,
	plugin: ExecPlugin,
	info: ExecInfo,
	environment: Environment,
): Promise<Exited> {
	if (signal.aborted) throw pluginError(plugin, 'was not started: the program ends');
	const allowed = {...plugin, command: await allowedCommand(plugin.command ?? '', environment)};
	const leadsGroup = !info.spec.interactive && environment.platform !== 'win32';
	const owned = new OwnedChild(() => start(allowed, info, environment, leadsGroup), leadsGroup);
	const {promise, reject} = Promise.withResolvers<never>();
	const end = () => owned.end().then(() => reject(pluginError(plugin, 'was ended')));
	signal.addEventListener('abort', end, {once: true});
	try {
		return await Promise.race([promise, runToEnd(signal, owned, plugin, info, environment)]);
	} finally {
		signal.removeEventListener('abort', end);
		if (!signal.aborted) owned.release();
	}
}

/** Resolves once it has exited and its output is read. A browser that it leaves may keep its standard error open for hours. */
async function runToEnd(
	signal: AbortSignal,
	owned: OwnedChild,
	plugin: ExecPlugin,
	info: ExecInfo,
	environment: Environment,
): Promise<Exited> {
	const {stdout, stderr} = owned.process;
	const exit = new Promise<number | string>((resolve, reject) => {
		owned.process.on('error', (error) =>
			reject(pluginError(plugin, `cannot be started: ${messageOf(error)}`)),
		);
		owned.process.on('exit', (code, killedBy) => resolve(killedBy ?? code ?? 0));
	});
	const shown = show(stderr, environment.showForeign, info.spec.interactive);
	const read = textUpTo(longestOutput, stdout).then(async (output) => {
		if (output === undefined) await owned.end();
		return output;
	});
	const [output, code] = await Promise.all([read, exit]);
	await shown.untilRead();
	if (output === undefined) throw pluginError(plugin, `printed more than ${longestOutput} characters`);
	if (typeof code === 'number' && !signal.aborted) return {output, code};
	keepPrinted(output);
	throw pluginError(plugin, `failed (${code})`);
}

/** What a plugin printed that failed may be a credential all the same; the longest words are the likeliest. */
export function keepPrinted(output: string) {
	const words = new Set(opaqueWords(output));
	keepSecret(...[...words].toSorted((a, b) => b.length - a.length).slice(0, mostSecrets));
}

function start(plugin: ExecPlugin, info: ExecInfo, environment: Environment, leadsGroup: boolean) {
	const {file, args, isVerbatim} = pluginCommand(plugin.command ?? '', plugin.args ?? [], environment);
	const own = Object.fromEntries((plugin.env ?? []).map(({name = '', value = ''}) => [name, value]));
	try {
		return spawn(file, args, {
			env: {...environment.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info)},
			stdio: [info.spec.interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
			// Its descendants end with it.
			detached: leadsGroup,
			windowsHide: true,
			windowsVerbatimArguments: isVerbatim,
		});
	} catch (error) {
		// Arguments with a zero byte make `spawn` throw an error that shows them.
		throw pluginError(
			plugin,
			`cannot be started: its arguments or variables cannot be passed on (${codeOf(error) || 'unknown error'})`,
		);
	}
}

/** A failure of a credential plugin, with the install hint of its kubeconfig. */
export function pluginError(plugin: ExecPlugin, what: string): UserError {
	return new UserError(
		`the credential plugin ${plugin.command ?? ''} ${what}`,
		plugin.installHint?.trim().replaceAll(/\s*\n\s*/g, ' ') ||
			'see what it says on standard error: kubectl get nodes runs it as well',
	);
}

/** Passes output on line by line, as a secret may be split between chunks; at once if the plugin may prompt the user. */
function show(stream: Readable | null, pass: (text: string) => void, isAtOnce: boolean) {
	let [line, received, hasEnded] = ['', 0, !stream];
	stream?.setEncoding('utf8').on('data', (chunk: string) => {
		const isCut = received > mostWords;
		received += chunk.length;
		if (isCut) return;
		const end = isAtOnce ? chunk.length : chunk.lastIndexOf('\n') + 1;
		if (end > 0) pass(line + chunk.slice(0, end));
		line = (end > 0 ? '' : line) + chunk.slice(end);
		if (received <= mostWords) return;
		line = '';
		pass(`(the credential plugin says more than ${mostWords} characters: the rest is left out)\n`);
	});
	stream?.on('close', () => {
		hasEnded = true;
		if (line !== '') pass(`${line}\n`);
		line = '';
	});
	return {
		/** Resolves once all that a plugin wrote before it exited is shown. What its children write later is, too. */
		untilRead: async () => {
			if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
			for (let turn = 0, before = -1; turn < lastTurns && !hasEnded && received > before; turn += 1) {
				before = received;
				// A turn ends before new data is read.
				await nextTurn();
				await nextTurn();
			}
		},
	};
}

/**
 * The command line of a credential plugin. Windows cannot run a script (`.cmd`, `.bat`, as npm and gcloud install) directly:
 * it is looked up by PATH and PATHEXT and run by the shell, with every argument quoted by the shell's rules, so that none
 * can become another command.
 *
 * @returns `isVerbatim`: whether the arguments are already quoted; for Windows only
 */
export function pluginCommand(
	command: string,
	args: readonly string[],
	around: Pick<Environment, 'platform' | 'env' | 'fileExists'>,
) {
	if (around.platform !== 'win32') return {file: command, args, isVerbatim: false};
	const file = findOnWindows(command, around) ?? command;
	if (!/\.(cmd|bat)$/i.test(file)) return {file, args, isVerbatim: false};
	const line = [forShell(win32.normalize(file)), ...args.map((arg) => forShell(quoted(arg)))].join(' ');
	return {file: around.env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true};
}

/** Finds the file of a command as Windows does: itself, or with an extension of PATHEXT. */
function findOnWindows(
	command: string,
	{env, fileExists}: Pick<Environment, 'env' | 'fileExists'>,
): string | undefined {
	const endings = (env['PATHEXT'] || '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
	const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
	const names = hasEnding ? [command] : endings.map((ending) => command + ending.toLowerCase());
	const path = env['Path'] ?? env['PATH'] ?? '';
	// The working directory is not searched, as in Go: anybody may have put a file there.
	const folders = /[\\/]/.test(command) ? [''] : path.split(';').filter(Boolean);
	return folders.flatMap((folder) => names.map((name) => win32.join(folder, name))).find(fileExists);
}

/** Quotes an argument for the C library of the program that the script starts. */
const quoted = (arg: string): string => `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** Escapes the special characters of cmd.exe. */
const forShell = (text: string): string => text.replaceAll(/[()[\]%!^"`<>&|;, *?]/g, '^$&');
