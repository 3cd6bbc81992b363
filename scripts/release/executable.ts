import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {build as bundle} from 'rolldown';
import {flags} from '../build.ts';
import {executableName, type Platform} from './platforms.ts';
import {run} from './run.ts';
import {runtimeBinary} from './runtimeBinary.ts';
import {signAdHoc} from './signature.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Makes the program one file, with Node.js in it. Its modules go in as they are, one by one: `--version` then reads only
 * those that it needs, where one large script would be read as a whole at each start.
 *
 * @param modules the folder that `build` and `writeStart` wrote
 * @returns the path of the executable
 */
export async function makeExecutable(platform: Platform, modules: string, folder: string): Promise<string> {
	await mkdir(folder, {recursive: true});
	const main = join(folder, 'main.mjs');
	await bundle({
		cwd: root,
		input: 'scripts/release/singleExecutable.ts',
		platform: 'node',
		output: {file: main, format: 'esm', minify: true},
	});
	const output = join(folder, executableName(platform));
	const configuration = join(folder, 'sea.json');
	await writeFile(
		configuration,
		JSON.stringify({
			main,
			mainFormat: 'module',
			output,
			executable: await runtimeBinary(platform),
			disableExperimentalSEAWarning: true,
			// Within a container's limit Node.js gives half of it to objects, and a shadow of a large cluster needs more.
			execArgv: [...flags, '--max-old-space-size-percentage=70'],
			// What NODE_OPTIONS says is meant for other programs.
			execArgvExtension: 'none',
			assets: await assetsOf(modules),
		}),
	);
	await run(process.execPath, ['--build-sea', configuration]);
	if (platform.os === 'darwin') await signAdHoc(output);
	return output;
}

/** Adds to the modules what the main module can require: the program itself awaits at its top level. */
export const writeStart = (modules: string): Promise<void> =>
	writeFile(join(modules, 'start.mjs'), "export const start = () => import('./kubectl-evictwatch.mjs');");

async function assetsOf(folder: string): Promise<Record<string, string>> {
	const files = await readdir(folder, {recursive: true});
	const modules = files.filter((file) => file.endsWith('.mjs')).toSorted();
	return Object.fromEntries(modules.map((file) => [file.replaceAll('\\', '/'), join(folder, file)]));
}
