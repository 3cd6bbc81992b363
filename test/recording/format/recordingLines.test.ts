import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {linesOfFile} from '../../../src/recording/format/recordingLines.ts';

/** All lines of some bytes, and how the reading ended. */
async function linesOf(bytes: Uint8Array) {
	const end = {isCut: false};
	const found: string[] = [];
	for await (const lines of linesOfFile({name: 'outage.jsonl.gz', bytes}, end)) found.push(...lines);
	return {found, end};
}

test('lines are put together again, however long and wherever they were cut', async () => {
	const lines = ['a', '', 'ä'.repeat(50_000), 'b'.repeat(200_000), 'c'];
	const whole = await linesOf(gzipSync(`${lines.join('\n')}\n`));
	expect(whole.found).toEqual(lines);
	expect(whole.end.isCut).toBe(false);
	const cut = await linesOf(gzipSync(lines.join('\n')));
	expect(cut.found).toEqual(lines.slice(0, -1));
	expect(cut.end.isCut).toBe(true);
});

test('a packed file of one endless line takes no time that grows with its square', async () => {
	const bytes = gzipSync('a'.repeat(40 * 2 ** 20));
	const before = process.cpuUsage();
	const {found, end} = await linesOf(bytes);
	const {user, system} = process.cpuUsage(before);
	expect([found, end.isCut]).toEqual([[], true]);
	// It took eleven seconds when each piece was joined to all previous ones.
	expect((user + system) / 1e6).toBeLessThan(4);
});
