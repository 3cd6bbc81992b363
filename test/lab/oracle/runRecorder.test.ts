import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runRecorder} from './runRecorder.ts';

/** A recorder that prints its scenarios; it hangs at a scenario that is named so. */
const recorder = `#!/bin/sh
for argument; do
	case $argument in
		-scenarios=*) scenarios=\${argument#*=};;
		-outcomes=*) outcomes=\${argument#*=};;
	esac
done
grep -q hangs "$scenarios" && exec sleep 100000
cat "$scenarios" > "$outcomes"
`;

function recorderProgram(): string {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-recorder-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const program = join(folder, 'recorder');
	writeFileSync(program, recorder);
	chmodSync(program, 0o755);
	return program;
}

test('a scenario without an end is given up, and those before and after it are played', async () => {
	const taken: string[] = [];
	const scenarios = ['one', 'hangs', 'two'];
	// Each scenario's process asks once: the second one is given up.
	const patience = [new AbortController().signal, AbortSignal.abort(), new AbortController().signal];
	const patienceFor = () => patience.shift() ?? AbortSignal.abort();
	const task = {program: recorderProgram(), runs: 1, jobs: 1, patienceFor};
	const givenUp = await runRecorder(task, scenarios, (line) => taken.push(line));
	expect({givenUp, taken}).toEqual({givenUp: ['hangs'], taken: ['one', 'two']});
});

test('a recorder that fails is no scenario that takes long', async () => {
	const task = {program: process.execPath, runs: 1, patienceFor: () => new AbortController().signal};
	await expect(runRecorder(task, ['one'], () => undefined)).rejects.toThrow('the recorder failed');
});
