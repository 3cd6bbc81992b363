import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import packageJson from '../../../package.json' with {type: 'json'};
import {archiveName, billName, platforms} from '../../../scripts/release/platforms.ts';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {say} from '../session.ts';
import {inBareRoot} from './bareRoot.ts';
import {withKrew} from './krew.ts';
import {FreshMachine} from './machine.ts';
import {byActionlint, byHelm} from './published.ts';
import {Skipped} from './skipped.ts';
import {inWine} from './wine.ts';

// What a new user does first, on what new users have. With --quick one npm, and the executable made there.
const isQuick = process.argv.includes('--quick');
const npms = isQuick ? ['10.8.2'] : ['9.2.0', '10.8.2', '10.9.3'];
const nodes = isQuick ? ['20'] : ['20', '22', '24'];

if (process.platform !== 'linux') {
	console.log('skipped: fresh machines are made on Linux alone');
	process.exit(0);
}

const {version} = packageJson;
const scratch = mkdtempSync(join(tmpdir(), 'evictwatch-fresh-'));
const checks: Check[] = [];
try {
	execFileSync('chmod', ['755', scratch]);
	const first = await matrix();
	if (first) await executables(first);
	if (!isQuick) await check('the workflows, by actionlint', () => byActionlint(scratch));
	if (!isQuick) await check('the chart, by helm and beside kustomize', () => byHelm(scratch));
	if (!isQuick) await check('outputs and paths say the same in all outages', allNets);
} finally {
	rmSync(scratch, {recursive: true, force: true});
}
process.exit(report(checks));

/** Tries each npm with each Node.js. Returns the first machine. */
async function matrix(): Promise<FreshMachine | undefined> {
	let first: FreshMachine | undefined;
	for (const npm of npms) {
		for (const node of nodes) {
			const folder = join(scratch, `npm-${npm}-node-${node}`);
			const machine = new FreshMachine(folder, npm, node);
			const name = `npm ${npm} with Node.js ${node}`;
			await check(`${name}: npm ci, in a few lines`, async () => {
				const lines = (await machine.run('npm ci')).trim().split('\n');
				if (lines.length > 12) throw new Error(`${lines.length} lines: ${lines.slice(0, 3).join(' ')}`);
			});
			await check(`${name}: the demo's first screen`, () =>
				machine.shows('npm run demo', /choose an outage/, 'Building the program'),
			);
			await check(`${name}: npm test, as far as its first file`, () =>
				machine.shows('npm test', /✓ test\/\S+\.test\.ts|Tests +[1-9]\d* passed/),
			);
			if (first) rmSync(folder, {recursive: true});
			first ??= machine;
		}
	}
	return first;
}

/** Makes executables as a new user does, and tries them. */
async function executables(machine: FreshMachine): Promise<void> {
	const packed = isQuick ? 'linux_amd64' : 'linux_amd64 windows_amd64';
	const release = join(machine.clone, 'dist/release');
	await check('npm run package, with that npm', () => machine.run(`npm run package -- ${packed}`));
	if (!existsSync(join(release, 'SHA256SUMS'))) return;
	const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
	await check('the executable where nothing is but its libraries', () =>
		inBareRoot(archive('linux'), scratch),
	);
	if (isQuick) return;
	await check('the same bytes from another folder', async () => {
		const other = join(scratch, 'another folder');
		mkdirSync(other);
		execFileSync('cp', ['-a', `${machine.clone}/.`, other]);
		await machine.run(`npm run package -- ${packed}`, other);
		const others = readFileSync(join(other, 'dist/release/SHA256SUMS'), 'utf8');
		if (others !== sums) throw new Error(`${sums}${others}`);
	});
	await check('krew installs, upgrades and removes it', () => withKrew(archive('linux'), scratch));
	await check('the executable for Windows, in Wine', () =>
		inWine(archive('windows'), archive('linux'), scratch),
	);

	await check(
		'npm run release makes each file that is published, and the one for this system starts',
		async () => {
			await machine.run('npm run release && npm run release:start');
			const made = new Set(readdirSync(release));
			const wanted = platforms.flatMap((platform) => [
				archiveName(version, platform),
				billName(version, platform),
			]);
			const missing = [...wanted, 'SHA256SUMS'].filter((name) => !made.has(name));
			if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
		},
	);

	function archive(os: string): string {
		const name = readdirSync(release).find((name) => name.includes(os) && !name.endsWith('.json'));
		return join(release, name ?? '');
	}
}

/** Plays all outages of test/nets, of which `npm test` plays two. */
function allNets(): void {
	const root = join(import.meta.dirname, '../../..');
	const vitest = join(root, 'node_modules/vitest/vitest.mjs');
	execFileSync(
		process.execPath,
		[...process.execArgv, vitest, 'run', '--configLoader', 'native', 'test/nets'],
		{cwd: root, env: {...process.env, EVICTWATCH_NETS: 'all'}, stdio: ['ignore', 2, 2]},
	);
}

/** Does it, and says how long it took. What cannot be tried here returns the reason. */
async function check(name: string, play: () => unknown): Promise<void> {
	const begun = performance.now();
	try {
		const skipped = await play();
		const seconds = ((performance.now() - begun) / 1000).toFixed(1);
		if (skipped instanceof Skipped) say(`skipped: ${name}: ${skipped.reason}`);
		else {
			say(`${name}: ${seconds} s`);
			checks.push({name, failures: []});
		}
	} catch (error) {
		say(`${name} failed`);
		checks.push({name, failures: [String(error)]});
	}
}
