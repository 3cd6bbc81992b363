import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {build as bundle} from 'rolldown';
import packageJson from '../../package.json' with {type: 'json'};
import {flags} from '../build.ts';
import {executableName, type Platform} from './platforms.ts';
import {run} from './run.ts';
import {runtimeBinary} from './runtimeBinary.ts';
import {signAdHoc} from './signature.ts';
import {asProgram} from './windowsRuntime.ts';
import {withoutLibatomic} from './withoutLibatomic.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Packs the program and Node.js into one file. Its modules are separate assets, so that `--version` reads only those that
 * it needs; one large script would be read completely at each start.
 *
 * @param modules the folder that `build` and `writeStart` wrote
 * @returns the path of the executable
 */
export async function makeExecutable(platform: Platform, modules: string, folder: string): Promise<string> {
	await mkdir(folder, {recursive: true});
	await bundle({
		cwd: root,
		input: 'scripts/release/singleExecutable.ts',
		platform: 'node',
		output: {file: join(folder, 'main.mjs'), format: 'esm', minify: true},
	});
	const output = join(folder, executableName(platform));
	const configuration = join(folder, 'sea.json');
	await writeFile(
		configuration,
		JSON.stringify({
			// It is part of what is written, and must not name the folder.
			main: 'main.mjs',
			mainFormat: 'module',
			output,
			executable: await preparedRuntime(platform, folder),
			disableExperimentalSEAWarning: true,
			// Inside a container's limit, Node.js gives only half of it to objects; a shadow of a large cluster needs more.
			execArgv: [...flags, '--max-old-space-size-percentage=70'],
			// NODE_OPTIONS is meant for other programs.
			execArgvExtension: 'none',
			assets: await assetsOf(modules),
		}),
	);
	await run(process.execPath, ['--build-sea', configuration], folder);
	if (platform.os === 'darwin') await signAdHoc(output);
	return output;
}

/** The platform's Node.js as it goes into the executable. */
async function preparedRuntime(platform: Platform, folder: string): Promise<string> {
	const runtime = await runtimeBinary(platform);
	// A Mach-O file is signed anew once it is complete.
	if (platform.os === 'darwin') return runtime;
	const file = await readFile(runtime);
	const prepared = join(folder, 'runtime');
	const changed = platform.os === 'linux' ? withoutLibatomic(file) : asProgram(file, packageJson.version);
	await writeFile(prepared, changed, {mode: 0o755});
	return prepared;
}

/** Adds a module that the main module can require: the program itself cannot be required, as it has a top-level await. */
export const writeStart = (modules: string): Promise<void> =>
	writeFile(join(modules, 'start.mjs'), "export const start = () => import('./kubectl-evictwatch.mjs');");

async function assetsOf(folder: string): Promise<Record<string, string>> {
	const files = await readdir(folder, {recursive: true});
	const modules = files.filter((file) => file.endsWith('.mjs')).toSorted();
	return Object.fromEntries(modules.map((file) => [file.replaceAll('\\', '/'), join(folder, file)]));
}
