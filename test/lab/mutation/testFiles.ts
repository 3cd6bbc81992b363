import {spawnSync} from 'node:child_process';
import {existsSync, globSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

/** The vectors, which the unit tests do not play. */
const vectors = 'test/lab/mutation/vectors.ts';

/** Tests of other processes, which a change in this process does not reach, and tests of the sources' text. */
const isElsewhere = (file: string, text: string): boolean =>
	/\/(layering|quirks|docs|slices)\.test\.ts$|^test\/(e2e|lab|release)\//.test(file) ||
	/node:child_process|builtProgram|node-pty/.test(text);

/** Writes the lists of fast and slow unit test files, by their duration. */
export function testFiles(
	root: string,
	folder: string,
	quick: number,
	slow: number,
): {readonly quick: readonly string[]; readonly slow: readonly string[]} {
	const took = durations(root, join(folder, 'durations.json'));
	const files = globSync('test/**/*.test.ts', {cwd: root}).filter(
		(file) => !isElsewhere(file, readFileSync(join(root, file), 'utf8')),
	);
	const within = (from: number, to: number) =>
		files.filter((file) => (took.get(file) ?? 0) > from && (took.get(file) ?? 0) <= to);
	return {
		quick: files.filter((file) => (took.get(file) ?? 0) <= quick).toSorted(),
		slow: [...within(quick, slow), vectors].toSorted((a, b) => (took.get(a) ?? 0) - (took.get(b) ?? 0)),
	};
}

/** The duration of each test file, from one run of the unit tests whose report is kept. */
function durations(root: string, file: string): ReadonlyMap<string, number> {
	if (!existsSync(file)) {
		const vitest = join(root, 'node_modules/vitest/vitest.mjs');
		const args = [vitest, 'run', '--reporter=json', `--outputFile=${file}`];
		spawnSync(process.execPath, args, {cwd: root, stdio: ['ignore', 'ignore', 'inherit']});
	}
	const {testResults}: {testResults: readonly {name: string; startTime: number; endTime: number}[]} =
		JSON.parse(readFileSync(file, 'utf8'));
	return new Map(
		testResults.map(({name, startTime, endTime}) => [relative(root, name), endTime - startTime]),
	);
}
