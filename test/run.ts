import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';

// Runs `npm test`, all parts concurrently: some use only one core, and some tests wait. The output of the checks and the
// vectors is printed as a whole, separate from the unit tests'.

async function run(script: string, ...more: readonly string[]): Promise<boolean> {
	const child = spawn('npm', ['run', '--silent', script, '--', ...more], {
		stdio: ['inherit', script === 'unit' ? 'inherit' : 'pipe', 'inherit'],
		shell: process.platform === 'win32',
	});
	const said = child.stdout ? text(child.stdout) : '';
	const [status] = await once(child, 'close');
	process.stdout.write(await said);
	return status === 0;
}

const results = await Promise.all([
	run('check'),
	run('conformance', 'test/conformance/vectors'),
	run('unit'),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
