import type {Instant} from '../../time/instant.ts';
import type {Random} from '../../time/random.ts';

/** A node that waits for its NoExecute taint, or to be evicted without one. */
export type TimedValue = Readonly<{
	value: string;
	addedAt: Instant;
	/** The earliest time to process it; a failed attempt postpones it. */
	processAt: Instant;
	/** Decides the order of values that are due at the same instant, if that order is random. */
	ticket: number;
}>;

/** The waiting values, in the order in which they are taken. */
export interface WaitingOrder {
	readonly size: number;
	readonly names: Iterable<string>;
	/** The next one to take. */
	head(): TimedValue | undefined;
	/** Adds a value; in random order, also one that is there already, for which it draws a new place. */
	add(value: string, now: Instant, random: Random): void;
	remove(value: string): void;
	/** Replaces the waiting value of the same name. */
	replace(value: TimedValue): void;
	fork(): WaitingOrder;
}

/** Random order among equals: every pass queues all waiting nodes again, with many workers and from a list in random order. */
export class RandomOrder implements WaitingOrder {
	#waiting = new Map<string, TimedValue>();

	get size(): number {
		return this.#waiting.size;
	}

	get names(): Iterable<string> {
		return this.#waiting.keys();
	}

	head(): TimedValue | undefined {
		let head: TimedValue | undefined;
		for (const value of this.#waiting.values()) {
			if (!head || isBefore(value, head)) head = value;
		}
		return head;
	}

	add(value: string, now: Instant, random: Random) {
		this.#waiting.set(value, {value, addedAt: now, processAt: now, ticket: random.lotOf(value)});
	}

	remove(value: string) {
		this.#waiting.delete(value);
	}

	replace(value: TimedValue) {
		if (this.#waiting.has(value.value)) this.#waiting.set(value.value, value);
	}

	fork(): RandomOrder {
		const copy = new RandomOrder();
		copy.#waiting = new Map(this.#waiting);
		return copy;
	}
}

const isBefore = (a: TimedValue, b: TimedValue) =>
	a.processAt < b.processAt || (a.processAt === b.processAt && a.ticket < b.ticket);

/**
 * First in, first out: values are queued once. It is Go's binary heap, because the heap's moves decide the order of
 * values that were added at one instant.
 *
 * @quirk of nodes queued in one pass, the last one follows the first
 * @upstream go1.26 src/container/heap/heap.go Remove
 */
export class HeapOrder implements WaitingOrder {
	#heap: TimedValue[] = [];

	get size(): number {
		return this.#heap.length;
	}

	get names(): Iterable<string> {
		return this.#heap.map(({value}) => value);
	}

	head(): TimedValue | undefined {
		return this.#heap[0];
	}

	add(value: string, now: Instant) {
		this.#push({value, addedAt: now, processAt: now, ticket: 0});
	}

	remove(value: string) {
		const index = this.#heap.findIndex((one) => one.value === value);
		const last = this.#heap.length - 1;
		if (index < 0) return;
		if (index < last) {
			this.#swap(index, last);
			if (!this.#down(index, last)) this.#up(index);
		}
		this.#heap.pop();
	}

	replace(value: TimedValue) {
		if (!this.#heap.some((one) => one.value === value.value)) return;
		this.remove(value.value);
		this.#push(value);
	}

	fork(): HeapOrder {
		const copy = new HeapOrder();
		copy.#heap = [...this.#heap];
		return copy;
	}

	#push(value: TimedValue) {
		this.#heap.push(value);
		this.#up(this.#heap.length - 1);
	}

	#up(from: number) {
		for (let child = from; child > 0; ) {
			const parent = (child - 1) >> 1;
			if (!this.#isLess(child, parent)) return;
			this.#swap(parent, child);
			child = parent;
		}
	}

	/** Moves a value down among the first `size`; returns whether it moved. */
	#down(from: number, size: number): boolean {
		let parent = from;
		for (let child = 2 * parent + 1; child < size; child = 2 * parent + 1) {
			const least = child + 1 < size && this.#isLess(child + 1, child) ? child + 1 : child;
			if (!this.#isLess(least, parent)) break;
			this.#swap(parent, least);
			parent = least;
		}
		return parent > from;
	}

	#isLess(a: number, b: number) {
		return this.#at(a).processAt < this.#at(b).processAt;
	}

	#swap(a: number, b: number) {
		const first = this.#at(a);
		this.#heap[a] = this.#at(b);
		this.#heap[b] = first;
	}

	#at(index: number): TimedValue {
		const value = this.#heap[index];
		if (!value) throw new Error(`the heap has no value at ${index}`);
		return value;
	}
}
