import {execFileSync, spawn} from 'node:child_process';
import {globSync, mkdtempSync, rmSync} from 'node:fs';
import {devNull, tmpdir} from 'node:os';
import {join} from 'node:path';
import {startDemo} from '../../src/demo/demo.ts';
import {scenarioNamed} from '../../src/demo/scenarios.ts';

/** A command line, and how long each run of it took, in milliseconds. */
type Contender = {readonly name: string; readonly command: readonly string[]; readonly took: number[]};

/** What is compared: the second may take so many times what the first takes. */
type Contest = {
	readonly first: Contender;
	readonly second: Contender;
	readonly atMost: number;
	readonly rounds: number;
};

const program = join(import.meta.dirname, '../../dist/kubectl-evictwatch');
const release = join(import.meta.dirname, '../../dist/release');
const kubectl = 'kubectl';
const cache = mkdtempSync(join(tmpdir(), 'evictwatch-startup-'));
const env = {...process.env, KUBECONFIG: devNull, HOME: cache};

async function play({first, second, rounds}: Contest): Promise<void> {
	// The first round fills caches of the disk and of kubectl. Turns, so that both see the same machine.
	for (let round = 0; round <= rounds; round++) {
		for (const {command, took} of [first, second]) {
			const time = await run(command);
			if (round > 0) took.push(time);
		}
	}
}

function run([file = '', ...args]: readonly string[]): Promise<number> {
	const begun = performance.now();
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {env, stdio: ['ignore', 'ignore', 'inherit']});
		child.once('error', reject);
		child.once('close', (code) =>
			code === 0
				? resolve(performance.now() - begun)
				: reject(new Error(`${file} ${args.join(' ')}: exit ${code}`)),
		);
	});
}

const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The executable that `npm run package` made for this platform, out of its archive; undefined where there is none. */
function packedExecutable(folder: string): string | undefined {
	const arch = process.arch === 'x64' ? 'amd64' : process.arch;
	const [archive] = globSync(join(release, `*_${process.platform}_${arch}.tar.gz`));
	if (archive === undefined) return undefined;
	execFileSync('tar', ['-xzf', archive, '-C', folder, 'kubectl-evictwatch']);
	return join(folder, 'kubectl-evictwatch');
}

const contender = (name: string, ...command: readonly string[]): Contender => ({name, command, took: []});

function tell({first, second, atMost}: Contest): void {
	for (const {name, took} of [first, second]) {
		const [least, usual] = [Math.min(...took), median(took)];
		console.log(
			`${name.padEnd(44)} median ${usual.toFixed(0).padStart(5)} ms, least ${least.toFixed(0).padStart(5)} ms`,
		);
	}
	const ratio = median(second.took) / median(first.took);
	console.log(
		`  ${ratio.toFixed(2)} times as long; the goal is at most ${atMost}: ${ratio <= atMost ? 'met' : 'MISSED'}\n`,
	);
}

const scenario = scenarioNamed('node-dies');
if (!scenario) throw new Error('the demo has no scenario node-dies');
const size = {zones: {a: 34, b: 33, c: 33}, replicaFactor: 8};
const demo = await startDemo({...scenario, size, steps: []}, {port: 0, clock: Date.now, seed: 1});
try {
	const executable = packedExecutable(cache);
	if (executable === undefined) console.log('No executable: npm run package makes one.\n');
	const ofExecutable = (path: string): Contest => ({
		first: contender('node -e 0', process.execPath, '-e', '0'),
		second: contender('the executable --version', path, '--version'),
		atMost: 3,
		rounds: 20,
	});
	const contests: readonly Contest[] = [
		...(executable === undefined ? [] : [ofExecutable(executable)]),
		{
			first: contender('node -e 0', process.execPath, '-e', '0'),
			second: contender('kubectl-evictwatch --version', program, '--version'),
			atMost: 3,
			rounds: 20,
		},
		{
			first: contender(
				'kubectl get pods -A (100 nodes)',
				kubectl,
				'--cache-dir',
				cache,
				'-s',
				demo.url,
				'get',
				'pods',
				'-A',
			),
			second: contender('kubectl-evictwatch pods -A (100 nodes)', program, 'pods', '-A', '-s', demo.url),
			atMost: 1.5,
			rounds: 10,
		},
	];
	for (const contest of contests) {
		await play(contest);
		tell(contest);
	}
} finally {
	await demo.close();
	rmSync(cache, {recursive: true, force: true});
}
