import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition} from '../../support/builders.ts';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../support/downNodes.ts';

type Seen = ReturnType<typeof aReadyNode>;

/** How often a forecast reads the labels of each of these nodes, and which zones it has. */
function forecastOf(seen: readonly Seen[], others: readonly Seen[]) {
	let reads = 0;
	const counted = seen.map(({node, renewed}) => {
		const {labels} = node;
		const read = {
			...node,
			get labels() {
				reads += 1;
				return labels;
			},
		};
		return {node: read, renewed};
	});
	const {zones} = forecasterOf([...counted, ...others]).forecast(now);
	return {zones, readsOfEach: reads / seen.length};
}

const zoneNamed = (index: number) => String.fromCodePoint(0x4e00 + index);

test.for([
	{what: 'silent', of: (name: string) => aReadyNode(name, 35)},
	{what: 'down', of: (name: string) => aDownNode(name, 60)},
])('of many zones with a node each that is $what, each node is read about as often as of few', ({of}) => {
	const readsOf = (size: number) => {
		const nodes = Array.from({length: size}, (_, index) => of(`${zoneNamed(index)}-0`));
		const others = ['a-0', 'a-1', 'a-2'].map((name) => aReadyNode(name));
		const {zones, readsOfEach} = forecastOf(nodes, others);
		expect(zones).toHaveLength(size + 1);
		return readsOfEach;
	};
	expect(readsOf(200)).toBeLessThan(2 * readsOf(50));
});

test('where all nodes were down and most returned within seconds, each is read about as often as of few', () => {
	const returned = (index: number): Seen => {
		const {node, renewed} = aReadyNode(`a-${index}`);
		const lastTransitionTime = now - (20 + (index % 5)) * second;
		return {node: {...node, conditions: [aCondition('Ready', 'True', {lastTransitionTime})]}, renewed};
	};
	const readsOf = (size: number) => {
		const nodes = Array.from({length: size}, (_, index) => returned(index));
		return forecastOf(nodes, [aDownNode('b-0', 60)]).readsOfEach;
	};
	expect(readsOf(1600)).toBeLessThan(2 * readsOf(400));
});
