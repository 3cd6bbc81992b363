import {expect, test} from 'vitest';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../support/downNodes.ts';

test.for([
	{what: 'silent', of: (name: string) => aReadyNode(name, 35)},
	{what: 'down', of: (name: string) => aDownNode(name, 60)},
])('of many zones with a node each that is $what, each node is read about as often as of few', ({of}) => {
	const readsOf = (size: number) => {
		let reads = 0;
		const nodes = Array.from({length: size}, (_, index) => {
			const {node, renewed} = of(`${String.fromCodePoint(0x4e00 + index)}-0`);
			const {labels} = node;
			const counted = {
				...node,
				get labels() {
					reads += 1;
					return labels;
				},
			};
			return {node: counted, renewed};
		});
		const {zones} = forecasterOf([
			...nodes,
			...['a-0', 'a-1', 'a-2'].map((name) => aReadyNode(name)),
		]).forecast(now);
		expect(zones).toHaveLength(size + 1);
		return reads / size;
	};
	expect(readsOf(200)).toBeLessThan(2 * readsOf(50));
});
