import {expect, test} from 'vitest';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {Digest} from '../../../src/ui/scene/digest.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../../print/forecasts.ts';

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

test('rows of nodes are prepared only as long as the screen shows them', () => {
	const node = aNodeForecast();
	const silent = aNodeForecast({name: 'n2', verdict: 'Silent'});
	let reads = 0;
	/** Prepares the digest of a new forecast; returns it, and how often its nodes were compared by verdict. */
	const digestAfter = (before?: Digest) => {
		const counted: NodeForecast = {
			...node,
			get verdict() {
				reads += 1;
				return node.verdict;
			},
		};
		reads = 0;
		const digest = new Digest(aForecast({nodes: [counted, silent]}), before);
		finish(digest.prepare());
		return {digest, reads};
	};
	const first = digestAfter();
	expect(first.digest.nodeRows.map(({name}) => name)).toEqual(['n2', 'n1']);
	const shown = digestAfter(first.digest);
	expect(shown.reads).toBeGreaterThan(first.reads);
	expect(digestAfter(shown.digest).reads).toBe(first.reads);
});
