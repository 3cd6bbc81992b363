import {expect, test} from 'vitest';
import {relatedReader} from '../../../cmd/sources/relatedReader.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aNodeForecast, aPodForecast} from '../../print/forecasts.ts';

test.for([
	{name: 'pods have stopped being ready', notReadyAt: (after: number) => (after < 40 ? [] : ['web', 'cart'])},
	{
		name: 'one pod is ready again as another stops being so',
		notReadyAt: (after: number) => [after < 40 ? 'web' : 'cart'],
	},
])('what belongs to pods is read anew soon after $name, else seldom', async ({notReadyAt}) => {
	const [start, readings] = [1000 * second, [] as number[]];
	let now = start;
	const reader = relatedReader({
		related: async () => {
			readings.push((now - start) / second);
			return nothingRelated;
		},
		now: () => now,
	});
	const nodes = [aNodeForecast({name: 'b1', verdict: 'Silent'})];
	for (; now < start + 90 * second; now += second) {
		const notReady = notReadyAt((now - start) / second);
		// Their order has no meaning, and may change.
		const order = now % (2 * second) === 0 ? ['web', 'cart'] : ['cart', 'web'];
		const pods = order.map((uid) =>
			aPodForecast({uid, node: 'b1', verdict: 'Expected', ready: notReady.includes(uid) ? 'False' : 'True'}),
		);
		reader.of({nodes, pods});
		await Promise.resolve().then(() => undefined);
		await new Promise((done) => setImmediate(done));
	}
	// Other controllers update their objects a moment after the pods. One more reading follows later, because the first may be
	// too early.
	expect(readings).toEqual([0, 30, 40, 50, 80]);
});
