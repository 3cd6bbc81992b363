import {afterAll, expect, test} from 'vitest';
import {run} from '../../cmd/run.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {outageDumps} from '../support/outageDumps.ts';
import {TemporaryFolder} from '../support/testEnvironment.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const folder = new TemporaryFolder();
afterAll(() => folder[Symbol.dispose]());

type Seen = {
	readonly node: string;
	readonly verdict: string;
	readonly eviction: {readonly earliest: string; readonly latest: string} | null;
};

test('the countdown of a node that waited for its token begins with its taint, though the pass that found the zone silent had many pods to mark', async () => {
	const dumps = outageDumps(folder.path, ['zone-dies'], [3 * minute]);
	const terminal = recordingTerminal();
	const [dump] = dumps;
	await run(['pods', '-A', '-f', dump?.file ?? '', '--at', dump?.at ?? '', '-o', 'json'], terminal);
	const items: readonly Seen[] = JSON.parse(terminal.texts().out).items;
	const running = items.filter(({verdict, eviction}) => verdict === 'Scheduled' && eviction !== null);
	expect(new Set(running.map(({node}) => node)).size).toBeGreaterThan(2);
	for (const {eviction} of running) {
		const width = Date.parse(eviction?.latest ?? '') - Date.parse(eviction?.earliest ?? '');
		expect(width).toBeLessThan(3 * second);
	}
});
