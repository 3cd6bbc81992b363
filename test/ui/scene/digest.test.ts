import {expect, test} from 'vitest';
import {finish} from '../../../src/forecast/pausable.ts';
import {Digest} from '../../../src/ui/scene/digest.ts';
import {aForecast, aPodForecast} from '../../print/forecasts.ts';

/** Prepares the digest of a new forecast; returns it, and how often its pods were gone through. */
function prepared(before?: Digest) {
	let reads = 0;
	const {pods, ...rest} = aForecast({pods: [aPodForecast()]});
	const counted = Object.defineProperty(rest, 'pods', {
		get: () => {
			reads += 1;
			return pods;
		},
	}) as typeof rest & {readonly pods: typeof pods};
	const digest = new Digest(counted, before);
	finish(digest.prepare());
	return {digest, reads};
}

test('workloads and pods of nodes are prepared only as long as the screen shows them', () => {
	const first = prepared();
	expect(first.digest.workloads).toHaveLength(1);
	expect(first.digest.podsOf('n1')).toBeDefined();
	const shown = prepared(first.digest);
	expect(shown.reads).toBe(first.reads + 2);
	// The screen shows another view by then.
	expect(prepared(shown.digest).reads).toBe(first.reads);
});
