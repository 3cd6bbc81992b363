import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	HeapOrder,
	RandomOrder,
	type WaitingOrder,
} from '../../../../src/core/nodelifecycle/zones/waitingOrder.ts';
import {Random} from '../../../../src/core/time/random.ts';

const random = new Random(1);

/** Takes all waiting nodes, one after another. */
function drain(order: WaitingOrder): string[] {
	const names: string[] = [];
	for (let head = order.head(); head; head = order.head()) {
		names.push(head.value);
		order.remove(head.value);
	}
	return names;
}

const filled = (names: readonly string[], order: WaitingOrder = new HeapOrder()) => {
	for (const name of names) order.add(name, 0, random);
	return order;
};

test('who comes first goes first', () => {
	const order = new HeapOrder();
	for (const [index, name] of ['c', 'a', 'b'].entries()) order.add(name, index);
	expect(drain(order)).toEqual(['c', 'a', 'b']);
});

test('of nodes queued in one pass, the last one follows the first', () => {
	expect(drain(filled(['n0', 'n1', 'n2', 'n4']))).toEqual(['n0', 'n4', 'n2', 'n1']);
});

test('one that failed waits behind the others', () => {
	const order = filled(['a', 'b']);
	const head = order.head();
	if (head) order.replace({...head, processAt: 50});
	expect(drain(order)).toEqual(['b', 'a']);
});

test('chance decides among those that come at one instant, by the seed', () => {
	const orders = Array.from({length: 20}, (_, seed) => {
		const order = new RandomOrder();
		const bySeed = new Random(seed);
		for (const name of ['a', 'b', 'c']) order.add(name, 0, bySeed);
		return drain(order).join('');
	});
	expect(new Set(orders).size).toBeGreaterThan(3);
});

const commands = fc.array(
	fc.record({
		name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
		at: fc.nat(5),
		kind: fc.constantFrom('add', 'add', 'remove', 'replace'),
	}),
	{maxLength: 40},
);

test('the heap always has one of the earliest at its head, and forgets nobody', () => {
	fc.assert(
		fc.property(commands, (all) => {
			const order = new HeapOrder();
			const naive = new Map<string, number>();
			for (const {name, at, kind} of all) {
				if (kind === 'add' && !naive.has(name)) {
					order.add(name, at);
					naive.set(name, at);
				} else if (kind === 'remove') {
					order.remove(name);
					naive.delete(name);
				} else if (kind === 'replace') {
					order.replace({value: name, addedAt: 0, processAt: at, ticket: 0});
					if (naive.has(name)) naive.set(name, at);
				}
				expect([...order.names].toSorted()).toEqual([...naive.keys()].toSorted());
				expect(order.head()?.processAt).toBe(naive.size === 0 ? undefined : Math.min(...naive.values()));
			}
			const copy = order.fork();
			drain(copy);
			expect(order.size).toBe(naive.size);
		}),
	);
});
