import {mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {describeFailure} from '../../../cmd/output/failure.ts';
import {UserError} from '../../../src/text/userError.ts';
import {testFolder} from '../../support/testFolder.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

const {path: home} = testFolder();
const emptyFolder = () => mkdtempSync(join(home, 'empty-'));

test('a UserError is its message and its hint, without a stack', () => {
	expect(describeFailure(new UserError('no such context: prod', 'see kubectl config get-contexts'))).toBe(
		'error: no such context: prod\nsee kubectl config get-contexts\n',
	);
});

test('a UserError cannot move the cursor', async () => {
	const terminal = recordingTerminal();
	await terminal.printError(describeFailure(new UserError('server said \u001b[2J', '')));
	expect(terminal.texts().err).toBe('error: server said ^[[2J\n');
});

test('neither a UserError nor the stack of a bug shows a secret', () => {
	const folder = emptyFolder();
	const {message, hint} = new UserError('sent Bearer hush', 'as https://me:hush@proxy');
	expect([message, hint]).toEqual(['sent Bearer [removed]', 'as https://[removed]@proxy']);
	describeFailure(new RangeError('no number: --token=hush'), folder);
	const [log = ''] = readdirSync(folder);
	expect(readFileSync(join(folder, log), 'utf8')).toContain('RangeError: no number: --token=[removed]\n');
});

test('the log of a bug is a new file of its own, which nobody else may read', () => {
	const folder = emptyFolder();
	const victim = join(emptyFolder(), 'victim');
	writeFileSync(victim, 'precious');
	// Another user could predict the file's name, and create a link of that name.
	symlinkSync(victim, join(folder, `kubectl-evictwatch-${process.pid}.log`));
	describeFailure(new RangeError('one'), folder);
	describeFailure(new RangeError('two'), folder);
	expect(readFileSync(victim, 'utf8')).toBe('precious');
	const logs = readdirSync(folder).filter((name) => name !== `kubectl-evictwatch-${process.pid}.log`);
	expect(logs).toHaveLength(2);
	for (const log of logs) expect(statSync(join(folder, log)).mode & 0o777).toBe(0o600);
});

test('of a bug, one line says where its stack is', () => {
	const folder = emptyFolder();
	const text = describeFailure(new RangeError('time runs backwards'), folder);
	const [log = ''] = readdirSync(folder);
	expect(text).toBe(
		`error: a bug in evictwatch, not in what you did; its stack is in ${join(folder, log)}\n`,
	);
	expect(readFileSync(join(folder, log), 'utf8')).toMatch(/RangeError: time runs backwards\n +at /);
});

test('a stack that cannot be written is told instead', () => {
	const text = describeFailure(new RangeError('time runs backwards'), join(emptyFolder(), 'missing'));
	expect(text).toMatch(/^error: a bug in evictwatch: RangeError: time runs backwards\n +at /);
});
