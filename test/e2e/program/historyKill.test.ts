import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, test} from 'vitest';
import {Random} from '../../../src/core/time/random.ts';
import {History} from '../../../src/shadow/history/history.ts';

/** Runs a writer until it has said so many numbers, kills it, and answers with all that it said. */
async function writeUntilKilled(folder: string, from: number, count: number): Promise<readonly number[]> {
	const child = spawn(
		process.execPath,
		[join(import.meta.dirname, 'historyWriter.ts'), folder, String(from)],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const exit = once(child, 'exit');
	const said: number[] = [];
	for await (const line of createInterface({input: child.stdout})) {
		said.push(Number(line));
		if (said.length === count) child.kill('SIGKILL');
	}
	await exit;
	return said;
}

test('a writer that is killed at any moment loses nothing that it has said', {timeout: 60_000}, async () => {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-kill-'));
	const random = new Random(7);
	const said: number[] = [];
	let next = 0;
	try {
		for (let kills = 0; kills < 12; kills += 1) {
			said.push(...(await writeUntilKilled(folder, next, 1 + Math.floor(random.next() * 120))));
			const history = History.open(folder, (error) => {
				throw error;
			});
			// Each of the twelve may have written one more and not said it; the writer keeps twenty.
			for (const number of said.slice(-8)) expect(history.told(`key-${number}`)).toBe('firing');
			history.close();
			next = (said.at(-1) ?? 0) + 2;
		}
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
});
