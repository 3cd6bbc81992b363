import {execFileSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {run} from '../../../cmd/run.ts';
import {rawNode} from '../../support/rawObjects.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

test.skipIf(process.platform === 'win32')('a pipe is read as a file is, by -f', async () => {
	using folder = new TemporaryFolder();
	const pipe = join(folder.path, 'pipe');
	execFileSync('mkfifo', [pipe]);
	const terminal = recordingTerminal();
	const dump = JSON.stringify({apiVersion: 'v1', kind: 'Node', ...rawNode('n1')});
	const [code] = await Promise.all([
		run(['nodes', '-f', pipe, '-o', 'name'], terminal),
		writeFile(pipe, dump),
	]);
	expect(terminal.texts().out).toBe('node/n1\n');
	expect(code).toBe(0);
});
