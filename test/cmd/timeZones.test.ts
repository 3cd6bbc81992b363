import {beforeAll, expect, test} from 'vitest';
import {run} from '../../cmd/run.ts';
import {minute} from '../../src/core/time/instant.ts';
import {recordedOutage, writeRecording} from '../support/recordedOutage.ts';
import {testFolder} from '../support/testFolder.ts';
import {recordingTerminal} from './recordingTerminal.ts';

// A node fails two minutes before Berlin's clocks go back from 03:00 to 02:00, at 01:00 UTC; its pods are evicted after that.
const begin = Date.UTC(2026, 9, 25, 0, 58);

const folder = testFolder();
let file = '';

beforeAll(async () => {
	file = await writeRecording(folder, 'outage.jsonl', recordedOutage('node-dies', 1.5 * minute, 0, begin));
});

async function print(...line: readonly string[]): Promise<string> {
	const terminal = recordingTerminal();
	expect(await run([...line, '-f', file], terminal)).toBe(0);
	return terminal.texts().out;
}

const inBerlin = ['--time-zone', 'Europe/Berlin'];

/** The instants of that day in a text, parsed with their offsets. */
const instantsIn = (text: string): readonly number[] =>
	(text.match(/\b\d\d:\d\d:\d\d(Z|[-+]\d\d:\d\d)/g) ?? []).map((time) => Date.parse(`2026-10-25T${time}`));

test('a table says the same instants in another zone, each with its offset', async () => {
	const line = ['pods', '-A', '-o', 'wide', '--no-headers'];
	const [utc, berlin] = [await print(...line), await print(...line, ...inBerlin)];
	expect(utc).toMatch(/4m\d+s +- +01:0\d:\d\dZ/);
	expect(berlin).toMatch(/4m\d+s +- +02:0\d:\d\d\+01:00/);
	// What began before the change, and what follows after it.
	expect(berlin).toMatch(/at 02:58:\d\d\+02:00 node b2 got the taint/);
	expect(berlin).toContain('+01:00');
	expect(berlin).not.toMatch(/\dZ/);
	expect(instantsIn(berlin).length).toBeGreaterThan(5);
	expect(instantsIn(berlin)).toEqual(instantsIn(utc));
	// Columns are aligned.
	const causes = berlin.split('\n').map((row) => row.indexOf('unreachable:NoExecute ('));
	expect(new Set(causes.filter((at) => at >= 0)).size).toBe(1);
});

test('an explanation names its zone; times beyond the change carry their offset', async () => {
	const text = await print('explain', 'node/b2', '--full', ...inBerlin);
	expect(text).toContain('Seen at 02:59:30+02:00; all times are Europe/Berlin (UTC+02:00).');
	expect(text).toMatch(/ 1\. 02:58:\d\d/);
	expect(text.replaceAll('\n', ' ')).toContain(
		'the next is deleted between 02:59:58+02:00 and 02:00:00+01:00.',
	);
	expect(await print('explain', 'node/b2', '--at', '2026-10-25T02:59', ...inBerlin)).toContain(
		'Seen at 02:59:00+02:00',
	);
	const pod = await print('explain', 'pod/cart-1', '-n', 'shop', '--full', ...inBerlin);
	expect(pod).toMatch(/02:0\d:\d\d\+01:00\/02:0\d:\d\d\+01:00 \(in \dm\d+s/);
	for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('what-if and rescue follow, and what is supposed may be written in the zone', async () => {
	const text = await print('what-if', '--node-down', 'a1@2026-10-25T02:59:45+02:00', ...inBerlin);
	expect(text).toContain('Seen at 02:59:30+02:00; all times are Europe/Berlin (UTC+02:00).');
	expect(text).toContain('If node a1 falls silent at 02:59:45+02:00 (in 15s):');
	expect(await print('rescue', ...inBerlin)).toMatch(/ 02:0\d:\d\d\+01:00 /);
});

test('JSON and YAML are in UTC, whatever the zone', async () => {
	for (const output of ['json', 'yaml', 'jsonpath={.items[*].eviction.earliest}']) {
		const line = ['pods', '-A', '-o', output];
		const utc = await print(...line);
		expect(utc).toMatch(/2026-10-25T01:0\d:\d\d\.\d{3}Z/);
		expect(await print(...line, ...inBerlin)).toBe(utc);
	}
});
