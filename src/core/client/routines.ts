import type {Duration, Instant} from '../time/instant.ts';
import type {ApiClient} from './apiClient.ts';

/** What a goroutine of a controller does after a step. `Step` is plain data, so that a run can be copied at any time. */
export type Next<Step> =
	/** The step is over; the next step on the stack receives whether it succeeded. */
	| {readonly type: 'done'; readonly ok: boolean}
	/** These steps run first, in order, then the rest of the stack. */
	| {readonly type: 'first'; readonly steps: readonly Step[]}
	/** An API call: it waits in the client's line and takes its time, then `next` applies its effect. */
	| {readonly type: 'call'; readonly next: Step}
	| {readonly type: 'sleep'; readonly for: Duration; readonly next: Step};

export const done: Next<never> = {type: 'done', ok: true};
export const failed: Next<never> = {type: 'done', ok: false};
export const first = <Step>(steps: readonly Step[]): Next<Step> => ({type: 'first', steps});
export const call = <Step>(next: Step): Next<Step> => ({type: 'call', next});
export const sleep = <Step>(duration: Duration, next: Step): Next<Step> => ({
	type: 'sleep',
	for: duration,
	next,
});

type Stack<Step> = {readonly step: Step; readonly below: Stack<Step>} | undefined;
type Routine<Step> = {readonly stack: Stack<Step>; readonly mode: CallMode};

/**
 * Whether calls wait in the client's line and take time, or happen at once. The recorders of the golden traces could
 * not advance virtual time inside a pass over a zone queue.
 */
export type CallMode = 'timed' | 'immediate';

function push<Step>(steps: readonly Step[], below: Stack<Step>): Stack<Step> {
	return steps.reduceRight<Stack<Step>>((stack, step) => ({step, below: stack}), below);
}

/** The goroutines of a controller as stacks of steps. One that waits (for a call or for time) is woken by its id. */
export class Routines<Step> {
	#nextId = 0;
	#waiting = new Map<number, Routine<Step>>();

	/** Starts a routine; it runs until it first waits. */
	start(steps: readonly Step[], mode: CallMode, context: RoutineContext<Step>) {
		this.#run({stack: push(steps, undefined), mode}, context);
	}

	wake(id: number, context: RoutineContext<Step>) {
		const routine = this.#waiting.get(id);
		if (!routine) return;
		this.#waiting.delete(id);
		this.#run(routine, context);
	}

	get areIdle() {
		return this.#waiting.size === 0;
	}

	fork(): Routines<Step> {
		const copy = new Routines<Step>();
		copy.#nextId = this.#nextId;
		copy.#waiting = new Map(this.#waiting);
		return copy;
	}

	#run({stack, mode}: Routine<Step>, context: RoutineContext<Step>) {
		let ok = true;
		let rest = stack;
		while (rest) {
			const {step, below} = rest;
			const next = context.run(step, ok);
			if (next.type === 'done') {
				ok = next.ok;
				rest = below;
			} else if (next.type === 'first') {
				ok = true;
				rest = push(next.steps, below);
			} else {
				const after = {stack: {step: next.next, below}, mode};
				const wakeAt = this.#wakeAt(next, mode, context);
				if (wakeAt === undefined) {
					rest = after.stack;
				} else {
					this.#wait(after, wakeAt, context);
					return;
				}
			}
		}
	}

	#wakeAt(next: Next<Step>, mode: CallMode, {client, now}: RoutineContext<Step>): Instant | undefined {
		if (next.type === 'sleep') return now + next.for;
		if (mode === 'timed') return client.call(now);
		client.takeIfThere(now);
		return undefined;
	}

	#wait(routine: Routine<Step>, wakeAt: Instant, context: RoutineContext<Step>) {
		const id = this.#nextId++;
		this.#waiting.set(id, routine);
		context.wakeRoutineAt(wakeAt, id);
	}
}

/** What routines need from their controller, at one instant. */
export type RoutineContext<Step> = Readonly<{
	now: Instant;
	client: ApiClient;
	/** Does one step; `ok` is whether the step before it succeeded. */
	run: (step: Step, ok: boolean) => Next<Step>;
	wakeRoutineAt: (at: Instant, id: number) => void;
}>;
