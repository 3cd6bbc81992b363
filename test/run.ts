import {spawn} from 'node:child_process';
import {once} from 'node:events';

// What `npm test` runs. The vectors take one core, so the checks run beside them; then the unit tests have all cores.

const run = async (...script: readonly string[]): Promise<boolean> => {
	const child = spawn('npm', ['run', '--silent', ...script], {
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	const [status] = await once(child, 'exit');
	return status === 0;
};

const isChecked = await Promise.all([run('check'), run('conformance', '--', 'test/conformance/vectors')]);
process.exitCode = isChecked.every(Boolean) && (await run('unit')) ? 0 : 1;
