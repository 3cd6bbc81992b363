import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {expect, test} from 'vitest';

test('a second signal ends the process at once, whatever it still does after the first, but for one that is told twice', async () => {
	const module = join(import.meta.dirname, '../../../cmd/output/interruption.ts');
	const script = `
		const {Interruption} = await import(${JSON.stringify(module)});
		const {signal} = new Interruption();
		signal.addEventListener('abort', () => {
			process.kill(process.pid, 'SIGTERM');
			console.log('interrupted');
		});
		console.log('waits');
		setInterval(() => undefined, 1000);
	`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let again: NodeJS.Timeout | undefined;
	try {
		const exit = once(child, 'exit');
		child.stdout.setEncoding('utf8');
		expect(await once(child.stdout, 'data')).toEqual(['waits\n']);
		child.kill('SIGTERM');
		expect(await once(child.stdout, 'data')).toEqual(['interrupted\n']);
		again = setInterval(() => child.kill('SIGTERM'), 50);
		expect(await exit).toEqual([null, 'SIGTERM']);
	} finally {
		clearInterval(again);
		child.kill('SIGKILL');
	}
});
