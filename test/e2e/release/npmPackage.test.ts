import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {publint} from 'publint';
import {beforeAll, expect, test} from 'vitest';
import {testFolder} from '../../support/testFolder.ts';

const root = join(import.meta.dirname, '../../..');
const {path: folder} = testFolder();
const env = {PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder};
const installed = join(folder, 'node_modules/kubectl-evictwatch');

beforeAll(() => {
	// Without a package.json npm would install into a parent folder that has one.
	writeFileSync(join(folder, 'package.json'), '{}');
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {cwd: root, env});
	const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	execFileSync(
		'npm',
		['install', '--silent', '--offline', '--no-audit', '--no-fund', join(folder, archive ?? '')],
		{cwd: folder, env},
	);
}, 120_000);

test('it holds the program and its licenses, and nothing else', () => {
	const files = readdirSync(installed, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
		.filter((file) => !/^dist\/chunks\/[\w-]+\.mjs$/.test(file));
	expect(files.toSorted()).toEqual([
		'LICENSE',
		'NOTICE',
		'README.md',
		'THIRD_PARTY_LICENSES',
		'dist/kubectl-evictwatch.mjs',
		'dist/npm.cjs',
		'package.json',
	]);
	expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
		'kubectl-evictwatch',
	]);
});

test('it is as small as the README says, and depends on nothing', () => {
	const [archive = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
	expect(statSync(join(folder, archive)).size).toBeLessThan(1_500_000);
	const {dependencies} = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	expect(dependencies).toBeUndefined();
});

test('npx runs it', () => {
	const {status, stdout} = spawnSync('npx', ['kubectl-evictwatch', 'version', '--client'], {
		cwd: folder,
		env,
		encoding: 'utf8',
	});
	expect({status, stdout}).toMatchObject({status: 0, stdout: expect.stringMatching(/^Client Version: v/)});
});

test('an older Node.js is told what is needed', () => {
	const program = JSON.stringify(join(installed, 'dist/npm.cjs'));
	const older = `Object.defineProperty(process.versions, 'node', {value: '22.18.0'}); require(${program})`;
	const {status, stdout, stderr} = spawnSync(process.execPath, ['-e', older], {encoding: 'utf8'});
	expect({status, stdout}).toEqual({status: 1, stdout: ''});
	expect(stderr).toMatch(/^error: kubectl evictwatch needs Node\.js 22\.19 or newer, and this is v.*\n/);
});

test('publint finds nothing to say', async () => {
	const {messages} = await publint({pkgDir: installed, pack: false, level: 'suggestion'});
	expect(messages).toEqual([]);
});
