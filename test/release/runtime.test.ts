import {spawnSync} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import runtime from '../../tools/runtime/package.json' with {type: 'json'};
import {TemporaryFolder} from '../support/testEnvironment.ts';

/** Runs a file by `tools/runtime` of a folder in which that Node.js is asked for, and some packages are installed. */
function runIn(folder: TemporaryFolder, version: string, platforms: Readonly<Record<string, string>>) {
	const optionalDependencies = platforms;
	folder.write(
		'tools/runtime/package.json',
		JSON.stringify({version, main: 'run.cjs', optionalDependencies}),
	);
	for (const name of ['run.cjs', 'jsx.mjs'])
		copyFileSync(join('tools/runtime', name), join(folder.path, 'tools/runtime', name));
	const file = folder.write(
		'file.js',
		'console.log(process.version, process.argv[2]); process.exitCode = 3;',
	);
	const {status, stdout, stderr} = spawnSync(
		process.execPath,
		[join(folder.path, 'tools/runtime'), file, 'argument'],
		{encoding: 'utf8'},
	);
	return {status, stdout, stderr};
}

test('a Node.js that is recent enough takes the place of one that is not installed', () => {
	using folder = new TemporaryFolder();
	expect(runIn(folder, process.versions.node, {})).toEqual({
		status: 3,
		stdout: `${process.version} argument\n`,
		stderr: '',
	});
});

test.for([
	{name: 'no platform', platforms: {}, hasModules: true, why: /^npm has none for \w+-\w+: run npm with a/},
	{name: 'no package', platforms: runtime.optionalDependencies, hasModules: true, why: /^npm left out node-/},
	{name: 'nothing', platforms: runtime.optionalDependencies, hasModules: false, why: /^nothing is installed/},
])('$name: one line says what is lacking', ({platforms, hasModules, why}) => {
	using folder = new TemporaryFolder();
	if (hasModules) folder.write('node_modules/.package-lock.json', '{}');
	const {status, stdout, stderr} = runIn(folder, '999.0.0', platforms);
	expect({status, stdout}).toEqual({status: 1, stdout: ''});
	const [, said] = /^error: npm scripts run under Node\.js 999\.0\.0, and (.*)\n$/.exec(stderr) ?? [];
	expect(said).toMatch(why);
});
