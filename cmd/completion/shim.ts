import {access, constants, readFile, stat, writeFile} from 'node:fs/promises';
import {delimiter, join, resolve} from 'node:path';
import type {Environment} from '../../src/cluster/access/environment.ts';
import {messageOf, UserError} from '../../src/text/userError.ts';

/** The parts of the process's environment that the shim needs. */
type ShimEnvironment = Pick<Environment, 'env' | 'platform'>;

const program = 'kubectl-evictwatch';

/** The program that kubectl calls to complete the plugin; kubectl dictates its name. */
const shimFor = (platform: NodeJS.Platform) =>
	platform === 'win32'
		? {file: 'kubectl_complete-evictwatch.cmd', text: `@${program} __complete %*\r\n`}
		: {file: 'kubectl_complete-evictwatch', text: `#!/bin/sh\nexec ${program} __complete "$@"\n`};

/** Writes the shim; returns its path and the steps left. @throws UserError if it cannot, or would replace a foreign file */
export async function installShim(folder: string, {env, platform}: ShimEnvironment) {
	const target = folder === '' ? await folderOfProgram(env, platform) : resolve(folder);
	const {file, text} = shimFor(platform);
	const path = join(target, file);
	const present = await readFile(path, 'utf8').catch(() => undefined);
	if (present !== undefined && present !== text) {
		throw new UserError(`${path} exists already, with other contents`, 'remove it, or name another folder');
	}
	await writeFile(path, text, {mode: 0o755}).catch((error: unknown) => {
		throw new UserError(
			`cannot write ${path}: ${messageOf(error)}`,
			'name a folder of your PATH that you may write to: completion --install-shim FOLDER',
		);
	});
	const isOnPath = foldersOf(env).some((one) => resolve(one) === target);
	return {path, hint: isOnPath ? '' : `${target} is not on your PATH: kubectl will not find it there`};
}

const foldersOf = (env: ShimEnvironment['env']): readonly string[] =>
	(env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');

// kubectl finds the shim in the folder that holds the plugin.
async function folderOfProgram(env: ShimEnvironment['env'], platform: NodeJS.Platform): Promise<string> {
	const names = platform === 'win32' ? [`${program}.exe`, `${program}.cmd`, program] : [program];
	for (const folder of foldersOf(env)) {
		for (const name of names) if (await isProgram(join(folder, name))) return resolve(folder);
	}
	throw new UserError(
		`there is no ${program} on your PATH to put it beside`,
		'name a folder of your PATH: completion --install-shim FOLDER',
	);
}

async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
