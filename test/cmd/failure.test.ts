import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {describeFailure} from '../../cmd/failure.ts';
import {UserError} from '../../src/cluster/userError.ts';

const home = mkdtempSync(join(tmpdir(), 'evictwatch-failure-'));
const emptyFolder = () => mkdtempSync(join(home, 'empty-'));

afterAll(() => rmSync(home, {recursive: true}));

test('a UserError is its message and its hint, without a stack', () => {
	expect(describeFailure(new UserError('no such context: prod', 'see kubectl config get-contexts'))).toBe(
		'error: no such context: prod\nsee kubectl config get-contexts\n',
	);
});

test('a UserError cannot move the cursor', () => {
	expect(describeFailure(new UserError('server said \u001b[2J', ''))).toBe('error: server said ^[[2J\n');
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
