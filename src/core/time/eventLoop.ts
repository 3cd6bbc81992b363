import type {Instant} from './instant.ts';

type HeapEntry<Event> = {readonly dueAt: Instant; readonly id: number; readonly event: Event};

const isBefore = <Event>(a: HeapEntry<Event>, b: HeapEntry<Event>) =>
	a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id);

/** Virtual time: events as data, in order of due time, then of scheduling. None can be cancelled: handlers know stale ones. */
export class EventLoop<Event> {
	#now: Instant;
	#nextId = 0;
	/** A binary heap: no entry is due before its parent; the parent of index i is (i - 1) >> 1. */
	#heap: HeapEntry<Event>[] = [];

	constructor(now: Instant) {
		this.#now = now;
	}

	get now(): Instant {
		return this.#now;
	}

	/** When the next event is due; undefined while none is scheduled. */
	get nextDueAt(): Instant | undefined {
		return this.#heap[0]?.dueAt;
	}

	/** Schedules an event. One that is already due fires at the current instant, after those already waiting for it. */
	schedule(dueAt: Instant, event: Event) {
		this.#push({dueAt: Math.max(dueAt, this.#now), id: this.#nextId++, event});
	}

	/** Fires all events due up to and including `target`; `handle` receives each event's own time. */
	advanceTo(target: Instant, handle: (event: Event, now: Instant) => void) {
		if (target < this.#now) throw new RangeError(`time runs backwards: ${this.#now} -> ${target}`);
		for (let next = this.#heap[0]; next && next.dueAt <= target; next = this.#heap[0]) {
			this.#pop();
			this.#now = next.dueAt;
			handle(next.event, this.#now);
		}
		this.#now = target;
	}

	fork(): EventLoop<Event> {
		const copy = new EventLoop<Event>(this.#now);
		copy.#nextId = this.#nextId;
		copy.#heap = this.#heap.slice();
		return copy;
	}

	#push(entry: HeapEntry<Event>) {
		const heap = this.#heap;
		let index = heap.length;
		for (let parent = (index - 1) >> 1; index > 0; parent = (index - 1) >> 1) {
			const above = heap[parent];
			if (!above || isBefore(above, entry)) break;
			heap[index] = above;
			index = parent;
		}
		heap[index] = entry;
	}

	#pop() {
		const heap = this.#heap;
		const last = heap.pop();
		if (!last || heap.length === 0) return;
		let index = 0;
		for (;;) {
			const left = heap[2 * index + 1];
			const right = heap[2 * index + 2];
			const below = right && left && isBefore(right, left) ? right : left;
			if (!below || isBefore(last, below)) break;
			heap[index] = below;
			index = below === right ? 2 * index + 2 : 2 * index + 1;
		}
		heap[index] = last;
	}
}
