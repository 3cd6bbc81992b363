'use strict';

// Runs a file under the Node.js that `npm ci` brought, whatever Node.js runs this: `node tools/runtime FILE ARGUMENT...`.
// It is found by its package: npm before 11.6 loses its link in node_modules/.bin, because several packages have that name.
// Components (`.tsx`) are read by jsx.mjs.
const {spawn} = require('node:child_process');
const {existsSync} = require('node:fs');
const {join} = require('node:path');
const {pathToFileURL} = require('node:url');
const {optionalDependencies, version} = require('./package.json');

const folder = join(__dirname, '../../node_modules');
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const name = Object.keys(optionalDependencies).find((name) => name.endsWith(`-${platform}`));
const node = name && join(folder, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (node && existsSync(node)) run(node);
else if (major(process.versions.node) >= major(version)) run(process.execPath);
else if (!name) fail(`npm has none for ${platform}: run npm with a Node.js ${version} of your own`);
else if (existsSync(folder))
	fail(`npm left out ${name}, as it does with what it cannot fetch: run npm ci again`);
else fail('nothing is installed: run npm ci');

function major(version) {
	return Number(version.split('.')[0]);
}

function run(node) {
	const jsx = pathToFileURL(join(__dirname, 'jsx.mjs')).href;
	const child = spawn(node, ['--import', jsx, ...process.argv.slice(2)], {stdio: 'inherit'});
	// A terminal sends ctrl-c to both.
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.on('error', ({code}) => fail(`${node} does not start (${code}): it needs glibc 2.28 or newer`));
	child.on('exit', (code, signal) => {
		// The system's loader ends with it, after it has named the library that is missing.
		if (code === 127) fail('its libraries are not installed: apt-get install libatomic1 libstdc++6');
		else process.exitCode = signal ? 1 : code;
	});
}

function fail(why) {
	console.error(`error: npm scripts run under Node.js ${version}, and ${why}`);
	process.exitCode = 1;
}
