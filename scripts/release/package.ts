import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {mapWithConcurrency} from '../../src/async/mapWithConcurrency.ts';
import {build} from '../build.ts';
import {pack} from './archive.ts';
import {checksums, sha256} from './checksums.ts';
import {makeExecutable, writeStart} from './executable.ts';
import {archiveName, billName, executableName, type Platform, platforms} from './platforms.ts';
import {run} from './run.ts';
import {billOfMaterials} from './sbom.ts';
import {bundledPackages, thirdPartyLicenses} from './thirdParty.ts';

// Writes dist/release: an archive and a bill of materials for each platform, and checksums. Two runs of one commit write the
// same bytes. Arguments such as linux_amd64 restrict it to these platforms.
const root = join(import.meta.dirname, '../..');
const release = join(root, 'dist/release');
const work = join(root, 'dist/package');

const completions = [
	['bash', 'kubectl-evictwatch.bash'],
	['zsh', '_kubectl-evictwatch'],
	['fish', 'kubectl-evictwatch.fish'],
	['powershell', 'kubectl-evictwatch.ps1'],
] as const;

const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const made = await commitTime();
const chosen = platformsNamed(process.argv.slice(2));

await Promise.all([release, work].map((folder) => rm(folder, {recursive: true, force: true})));
await mkdir(release, {recursive: true});
const modules = join(work, 'modules');
const packages = await bundledPackages(await build(modules));
const licenses = await thirdPartyLicenses(packages, {withRuntime: true});

await writeStart(modules);
// Compression takes most of the time; each platform uses one thread.
const files = (await mapWithConcurrency(chosen, packPlatform, availableParallelism())).flat();
const sums = await checksums(files);
await writeFile(join(release, 'SHA256SUMS'), sums);
await rm(work, {recursive: true});
process.stdout.write(sums);

/** @returns the archive and its bill of materials */
async function packPlatform(platform: Platform): Promise<readonly string[]> {
	const name = `${platform.os}_${platform.arch}`;
	const executable = await makeExecutable(platform, modules, join(work, name));
	const content = join(work, `${name}-archive`);
	await mkdir(content);
	await copyFile(executable, join(content, executableName(platform)));
	for (const file of ['LICENSE', 'NOTICE']) await copyFile(join(root, file), join(content, file));
	await writeFile(join(content, 'THIRD_PARTY_LICENSES'), licenses);
	await writeCompletions(join(content, 'completions'));
	const archive = join(release, archiveName(version, platform));
	await pack(content, archive, made);
	const bill = join(release, billName(version, platform));
	const sum = await sha256(executable);
	await writeFile(bill, await billOfMaterials(packages, {platform, sha256: sum, madeAt: made}));
	return [archive, bill];
}

/** Writes the shells' completion scripts; `completion` prints the same. */
async function writeCompletions(folder: string): Promise<void> {
	await mkdir(folder);
	for (const [shell, file] of completions) {
		const text = await run(process.execPath, [join(modules, 'kubectl-evictwatch.mjs'), 'completion', shell]);
		await writeFile(join(folder, file), text);
	}
}

function platformsNamed(names: readonly string[]): readonly Platform[] {
	const known = new Map(platforms.map((platform) => [`${platform.os}_${platform.arch}`, platform]));
	if (names.length === 0) return platforms;
	return names.map((name) => {
		const platform = known.get(name);
		if (!platform) throw new Error(`unknown platform ${name}; choose of: ${[...known.keys()].join(', ')}`);
		return platform;
	});
}

/** The commit's time; for an archive of the sources, the start of 1980, the first time that zip files support. */
async function commitTime(): Promise<Date> {
	const epoch =
		process.env['SOURCE_DATE_EPOCH'] ??
		(await run('git', ['log', '-1', '--format=%ct'], root).catch(() => ''));
	return new Date(Number(epoch || 315_532_800) * 1000);
}
