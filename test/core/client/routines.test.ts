import {expect, test} from 'vitest';
import {ApiClient} from '../../../src/core/client/apiClient.ts';
import {type CallMode, done, failed, type Next, Routines} from '../../../src/core/client/routines.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';

type Log = (readonly [step: string, at: number])[];
type Behaviour = (step: string, ok: boolean) => Next<string>;

/** Routines of named steps in virtual time; the test defines the result of each step. */
class Machine {
	readonly log: Log = [];
	readonly #behaviour: Behaviour;
	#loop: EventLoop<number>;
	#routines: Routines<string>;
	#client: ApiClient;

	constructor(
		behaviour: Behaviour,
		client = new ApiClient(0, 0, 1),
		loop = new EventLoop<number>(0),
		routines = new Routines<string>(),
	) {
		this.#behaviour = behaviour;
		this.#client = client;
		this.#loop = loop;
		this.#routines = routines;
	}

	start(steps: readonly string[], mode: CallMode = 'timed'): void {
		this.#routines.start(steps, mode, this.#context());
	}

	wake(id: number): void {
		this.#routines.wake(id, this.#context());
	}

	advanceTo(target: number): Log {
		this.#loop.advanceTo(target, (id) => this.wake(id));
		return this.log;
	}

	fork(): Machine {
		return new Machine(this.#behaviour, this.#client.fork(), this.#loop.fork(), this.#routines.fork());
	}

	#context() {
		return {
			now: this.#loop.now,
			client: this.#client,
			run: (step: string, ok: boolean) => {
				this.log.push([step, this.#loop.now]);
				return this.#behaviour(step, ok);
			},
			wakeRoutineAt: (at: number, id: number) => this.#loop.schedule(at, id),
		};
	}
}

const answers =
	(table: Readonly<Record<string, Next<string>>>): Behaviour =>
	(step) =>
		table[step] ?? done;

test('steps run one after another at one instant while none waits', () => {
	const machine = new Machine(answers({}));
	machine.start(['a', 'b', 'c']);
	expect(machine.log).toEqual([
		['a', 0],
		['b', 0],
		['c', 0],
	]);
});

test('steps that a step puts first run before what stood behind it', () => {
	const machine = new Machine(answers({a: {type: 'first', steps: ['a1', 'a2']}}));
	machine.start(['a', 'b']);
	expect(machine.log.map(([step]) => step)).toEqual(['a', 'a1', 'a2', 'b']);
});

test('a call holds its effect until it has been answered, and what stands behind it as well', () => {
	const machine = new Machine(answers({a: {type: 'call', next: 'effect of a'}}), new ApiClient(0, 0, 5));
	machine.start(['a', 'b']);
	expect(machine.advanceTo(100)).toEqual([
		['a', 0],
		['effect of a', 5],
		['b', 5],
	]);
});

test('routines wait in one line for the same client', () => {
	const machine = new Machine(answers({call: {type: 'call', next: 'answered'}}), new ApiClient(10, 1, 1));
	machine.start(['call']);
	machine.start(['call']);
	machine.start(['call']);
	expect(machine.advanceTo(1000).filter(([step]) => step === 'answered')).toEqual([
		['answered', 1],
		['answered', 101],
		['answered', 201],
	]);
});

test('an immediate call takes no time, but a token if there is one', () => {
	const machine = new Machine(answers({call: {type: 'call', next: 'answered'}}), new ApiClient(10, 1, 1));
	machine.start(['call'], 'immediate');
	expect(machine.log).toEqual([
		['call', 0],
		['answered', 0],
	]);
	machine.start(['call']);
	expect(machine.advanceTo(1000).at(-1)).toEqual(['answered', 101]);
});

test('a sleep takes its time in either mode', () => {
	const machine = new Machine(answers({nap: {type: 'sleep', for: 30, next: 'awake'}}));
	machine.start(['nap'], 'immediate');
	expect(machine.advanceTo(100).at(-1)).toEqual(['awake', 30]);
});

test('a step learns whether the one before it went well', () => {
	const seen: string[] = [];
	const machine = new Machine((step, ok) => {
		seen.push(`${step} ${ok}`);
		if (step === 'group') return {type: 'first', steps: ['inner']};
		return step === 'fails' ? failed : done;
	});
	machine.start(['fails', 'after', 'fails', 'group']);
	expect(seen).toEqual(['fails true', 'after false', 'fails true', 'group false', 'inner true']);
});

test('a wake-up for a routine that does not wait is left alone', () => {
	const machine = new Machine(answers({}));
	machine.wake(99);
	expect(machine.log).toEqual([]);
});

test('a fork made while routines wait goes on by itself', () => {
	const machine = new Machine(answers({nap: {type: 'sleep', for: 30, next: 'awake'}}));
	machine.start(['nap', 'end']);
	const fork = machine.fork();
	fork.start(['of the fork']);
	expect(fork.advanceTo(100).map(([step]) => step)).toEqual(['of the fork', 'awake', 'end']);
	expect(machine.advanceTo(100).map(([step]) => step)).toEqual(['nap', 'awake', 'end']);
});

test('routines that a fork starts do not take the place of those that waited', () => {
	const machine = new Machine(answers({nap: {type: 'sleep', for: 30, next: 'awake'}}));
	machine.start(['nap', 'first']);
	const fork = machine.fork();
	fork.start(['nap', 'second']);
	const awake = fork.advanceTo(100).filter(([, at]) => at === 30);
	expect(awake.map(([step]) => step)).toEqual(['awake', 'first', 'awake', 'second']);
});
