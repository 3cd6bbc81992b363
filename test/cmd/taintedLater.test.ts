import {expect, test} from 'vitest';
import {minute, second} from '../../src/core/time/instant.ts';
import type {PodForecastJson} from '../../src/print/contract/podForecast.ts';
import {outageDumps} from '../support/outageDumps.ts';
import type {Json} from '../support/printedJson.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedFor} from './printed.ts';

const folder = testFolder();

test('the countdown of a node that waited for its token begins with its taint, though the pass that found the zone silent had many pods to mark', async () => {
	const dumps = outageDumps(folder.path, ['zone-dies'], [3 * minute]);
	const [dump] = dumps;
	const {out} = await printedFor('pods', '-A', '-f', dump?.file ?? '', '--at', dump?.at ?? '', '-o', 'json');
	const items: readonly Json<PodForecastJson>[] = JSON.parse(out).items;
	const running = items.filter(({verdict, eviction}) => verdict === 'Scheduled' && eviction !== null);
	expect(new Set(running.map(({node}) => node)).size).toBeGreaterThan(2);
	for (const {eviction} of running) {
		const width = Date.parse(eviction?.latest ?? '') - Date.parse(eviction?.earliest ?? '');
		expect(width).toBeLessThan(3 * second);
	}
});
