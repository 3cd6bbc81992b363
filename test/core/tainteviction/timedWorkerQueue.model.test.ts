import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {TimedWorkerQueue} from '../../../src/core/tainteviction/timedWorkerQueue.ts';

/** All entries ever added, as a list; a key is taken while an entry of it is listed. */
type Entry = {key: string; fireAt: number; id: number | undefined; isListed: boolean; hasTimer: boolean};
type Model = {now: number; entries: Entry[]};

const listed = (model: Model, key: string) =>
	model.entries.find((entry) => entry.key === key && entry.isListed);

class Add implements fc.Command<Model, TimedWorkerQueue> {
	readonly #key: string;
	readonly #delay: number;

	constructor(key: string, delay: number) {
		this.#key = key;
		this.#delay = delay;
	}

	check(): boolean {
		return true;
	}

	run(model: Model, queue: TimedWorkerQueue): void {
		const fireAt = model.now + this.#delay;
		const added = queue.addWork(this.#key, model.now, fireAt);
		if (listed(model, this.#key)) {
			expect(added).toBeUndefined();
			return;
		}
		const hasTimer = this.#delay > 0;
		if (hasTimer) expect(added).toMatchObject({createdAt: model.now, fireAt});
		else expect(added).toBe('inFlight');
		const id = added && added !== 'inFlight' ? added.id : undefined;
		model.entries.push({key: this.#key, fireAt, id, isListed: true, hasTimer});
	}

	toString(): string {
		return `add ${this.#key} +${this.#delay}`;
	}
}

class Cancel implements fc.Command<Model, TimedWorkerQueue> {
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
	}

	check(): boolean {
		return true;
	}

	run(model: Model, queue: TimedWorkerQueue): void {
		const entry = listed(model, this.#key);
		expect(queue.cancelWork(this.#key)).toBe(entry?.id !== undefined);
		if (!entry) return;
		entry.isListed = false;
		entry.hasTimer = false;
	}

	toString(): string {
		return `cancel ${this.#key}`;
	}
}

class Finish implements fc.Command<Model, TimedWorkerQueue> {
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
	}

	check(model: Readonly<Model>): boolean {
		return model.entries.some(({key, hasTimer}) => key === this.#key && !hasTimer);
	}

	run(model: Model, queue: TimedWorkerQueue): void {
		queue.finished(this.#key, true);
		const entry = listed(model, this.#key);
		if (entry) entry.isListed = false;
	}

	toString(): string {
		return `finish ${this.#key}`;
	}
}

class Advance implements fc.Command<Model, TimedWorkerQueue> {
	readonly #by: number;

	constructor(by: number) {
		this.#by = by;
	}

	check(): boolean {
		return true;
	}

	run(model: Model, queue: TimedWorkerQueue): void {
		model.now += this.#by;
		for (const entry of model.entries) {
			if (entry.id === undefined || entry.fireAt > model.now) continue;
			expect(queue.fire(entry.id)).toBe(entry.hasTimer ? entry.key : undefined);
			entry.hasTimer = false;
		}
	}

	toString(): string {
		return `advance ${this.#by}`;
	}
}

class Fork implements fc.Command<Model, TimedWorkerQueue> {
	check(): boolean {
		return true;
	}

	run(model: Model, queue: TimedWorkerQueue): void {
		const fork = queue.fork();
		expect(fork.scheduled).toEqual(queue.scheduled);
		for (const {key} of model.entries) fork.cancelWork(key);
		const want = model.entries.filter(({isListed, id}) => isListed && id !== undefined).map(({key}) => key);
		expect([...queue.scheduled.keys()].toSorted()).toEqual(want.toSorted());
	}

	toString(): string {
		return 'fork';
	}
}

const key = fc.constantFrom('a', 'b', 'c');
const commands = fc.commands(
	[
		fc.tuple(key, fc.integer({min: -1, max: 20})).map(([name, delay]) => new Add(name, delay)),
		key.map((name) => new Cancel(name)),
		key.map((name) => new Finish(name)),
		fc.nat(15).map((by) => new Advance(by)),
		fc.constant(new Fork()),
	],
	{maxCommands: 60},
);

test('any sequence of commands leaves the queue as a naive list would be', () => {
	fc.assert(
		fc.property(commands, (all) => {
			fc.modelRun(() => ({model: {now: 0, entries: []}, real: new TimedWorkerQueue(false)}), all);
		}),
		{numRuns: 500},
	);
});
