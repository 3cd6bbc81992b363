import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TemporaryFolder} from '../../support/testSurroundings.ts';

const runner = join(import.meta.dirname, '../../../cmd/starter/compiledScript.ts');

/** Runs a script in a process of its own, as the starter does; what it printed. */
function runOnce(source: string, cacheFile: string | undefined, names?: object): string {
	const script = {filename: '/program/lists.cjs', source, cacheFile, names};
	const program = `import {runCompiled} from ${JSON.stringify(runner)}; runCompiled(${JSON.stringify(script)});`;
	return execFileSync(process.execPath, ['--input-type=module', '-e', program], {encoding: 'utf8'});
}

const greeting =
	"function greet(name) { console.log('hello ' + name); }\ngreet(require('node:os').EOL.length);";

test('a script runs the same with and without what was compiled of it, and learns for four runs', () => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'deep/lists');
	const runs = [1, 2, 3, 4, 5, 6].map(() => [runOnce(greeting, file), readFileSync(file)[0]]);
	expect(runs).toEqual([1, 2, 3, 4, 4, 4].map((run) => ['hello 1\n', run]));
	expect(readdirSync(join(folder.path, 'deep'))).toEqual(['lists']);
	expect(runOnce(greeting, undefined)).toBe('hello 1\n');
});

test('functions that a later run calls for the first time are kept as well', () => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'lists');
	const body = Array.from({length: 200}, (_, index) => `total += ${index} * seed;`).join('');
	const source = `function rare(seed) { let total = 0; ${body} return total; }
if (require('node:fs').existsSync(${JSON.stringify(join(folder.path, 'flag'))})) console.log(rare(2));`;
	runOnce(source, file);
	const before = readFileSync(file).length;
	writeFileSync(join(folder.path, 'flag'), '');
	expect(runOnce(source, file)).toBe('39800\n');
	expect(readFileSync(file).length).toBeGreaterThan(before + 1000);
});

test.for([
	{name: 'of another script', bytes: (kept: Buffer) => kept, source: `${greeting}\nconsole.log('more');`},
	{name: 'cut off', bytes: (kept: Buffer) => kept.subarray(0, 100), source: greeting},
	{name: 'empty', bytes: () => Buffer.alloc(0), source: greeting},
	{
		name: 'damaged',
		bytes: (kept: Buffer) => Buffer.concat([kept.subarray(0, -64), Buffer.alloc(64)]),
		source: greeting,
	},
	{name: 'junk', bytes: () => Buffer.from('no code of any machine at all'), source: greeting},
])('what was kept is compiled anew where it is $name', ({bytes, source}) => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'lists');
	for (let run = 0; run < 2; run++) runOnce(greeting, file);
	writeFileSync(file, bytes(readFileSync(file)));
	expect(runOnce(source, file)).toContain('hello 1\n');
	expect(readFileSync(file)[0]).toBe(1);
});

test('a folder that cannot be written costs nothing but time', () => {
	using folder = new TemporaryFolder();
	const blocked = join(folder.path, 'file');
	writeFileSync(blocked, '');
	expect(runOnce(greeting, join(blocked, 'lists'))).toBe('hello 1\n');
	expect(existsSync(join(blocked, 'lists'))).toBe(false);
});

test('what others may write is not run', () => {
	using folder = new TemporaryFolder();
	const file = join(folder.path, 'lists');
	for (let run = 0; run < 2; run++) runOnce(greeting, file);
	chmodSync(file, 0o622);
	expect(runOnce(greeting, file)).toBe('hello 1\n');
	expect(readFileSync(file)[0]).toBe(1);
});

test('what was kept of another build goes once there is some of this one', () => {
	using folder = new TemporaryFolder();
	for (const name of ['lists-0-old-pods', 'lists-0-new-nodes', 'lists-1-old-pods', 'other'])
		writeFileSync(join(folder.path, name), '');
	runOnce(greeting, join(folder.path, 'lists-0-new-pods'), {start: 'lists-0-', keep: 'lists-0-new-'});
	expect(readdirSync(folder.path).toSorted()).toEqual([
		...['lists-0-new-nodes', 'lists-0-new-pods', 'lists-1-old-pods', 'other'],
	]);
});
