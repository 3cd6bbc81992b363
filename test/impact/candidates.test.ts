import {expect, test} from 'vitest';
import {candidateNodes} from '../../src/impact/candidates.ts';
import {aNodeForecast, aPodForecast} from '../print/forecasts.ts';
import {aNode} from '../support/builders.ts';
import {aController, aTemplate} from './related.ts';

test.for([250, 400, 999, 1000, 5000])(
	'the candidates among %d nodes are from everywhere: those of one pool may all be full',
	(count) => {
		const web = aController('web', {template: aTemplate()});
		const owner = {kind: 'ReplicaSet', name: 'web', uid: web.uid};
		const nodes = Array.from({length: count}, (_, index) => {
			const name = `n${index}`;
			return aNodeForecast({name, verdict: 'Healthy', node: aNode(name)});
		});
		const {candidates} = candidateNodes(
			[aPodForecast({verdict: 'Expected', owner})],
			nodes,
			new Map([[web.uid, web]]),
		);
		const indices = candidates.map((name) => Number(name.slice(1))).sort((a, b) => a - b);
		expect(indices).toHaveLength(20);
		const gaps = indices.map((index, nth) => index - (indices[nth - 1] ?? 0));
		expect(Math.max(...gaps)).toBeLessThan((3 * count) / 20);
	},
);
