import {expect, test} from 'vitest';
import {Pulse} from '../../../src/cluster/watch/pulse.ts';

const second = 1000;

/** A pulse in virtual time: `pass` advances it in steps of half a second. */
function pulse(answers: () => Promise<boolean> = () => new Promise(() => undefined)) {
	let now = 0;
	const told: string[] = [];
	const looks: (() => void)[] = [];
	const end = new AbortController();
	const note = (what: string) => told.push(`${now / second} ${what}`);
	const one = new Pulse({
		timing: {
			now: () => now,
			elapsed: () => now,
			nextLook: () => new Promise((resolve) => looks.push(resolve)),
			lookPeriod: second / 2,
		},
		ask: () => {
			note('asked');
			return answers();
		},
		confirmed: () => note('confirmed'),
		changed: (isSilent) => note(isSilent ? 'silent' : 'heard again'),
		looked: () => undefined,
	});
	void one.run(end.signal);
	const step = async (length: number) => {
		now += length;
		for (const look of looks.splice(0)) look();
		for (let turn = 0; turn < 10; turn++) await Promise.resolve();
	};
	return {
		one,
		told,
		step,
		/** Advances the time while the process does not run. */
		wait: (length: number) => {
			now += length;
		},
		pass: async (length: number) => {
			for (const until = now + length; now < until; ) await step(second / 2);
		},
	};
}

test('as long as something comes, nothing is asked', async () => {
	const {one, told, pass} = pulse();
	for (let times = 0; times < 10; times++) {
		await pass(2 * second);
		one.heard();
	}
	expect(told).toEqual([]);
	expect(one.heardAt).toBe(20 * second);
});

test('a silence is confirmed by an answer, every few seconds', async () => {
	const {one, told, pass} = pulse(async () => true);
	await pass(7 * second);
	expect(told).toEqual(['2.5 asked', '2.5 confirmed', '5 asked', '5 confirmed']);
	expect(one.heardAt).toBe(5 * second);
});

test('without an answer it is a silence of the API server, well within ten seconds', async () => {
	const {one, told, pass} = pulse();
	await pass(8 * second);
	expect(told).toEqual(['2.5 asked', '6 silent', '6.5 asked']);
	expect(one.heardAt).toBe(0);
	one.heard();
	expect(told.at(-1)).toBe('8 heard again');
});

test('a refusal to answer is asked about again, not in a tight loop', async () => {
	const {told, pass} = pulse(async () => false);
	await pass(14 * second);
	expect(told).toEqual(['2.5 asked', '6 silent', '6.5 asked', '10.5 asked']);
});

test('a process that was stopped has heard nothing, which is no silence', async () => {
	const {told, pass, step} = pulse();
	await pass(second);
	await step(300 * second);
	expect(told).toEqual([]);
});

test('what is read after this program was kept from running may be as old as its last look at the clock', async () => {
	const {one, pass, step} = pulse();
	await pass(second);
	expect(one.unreadSince).toBeUndefined();
	await step(3 * second);
	expect(one.unreadSince).toBe(second);
	await pass(second);
	expect(one.unreadSince).toBe(second);
	await pass(second / 2);
	expect(one.unreadSince).toBeUndefined();
});

test('a look that is overdue tells the same before it comes', async () => {
	const {one, pass, wait} = pulse();
	await pass(second);
	wait(second / 2);
	expect(one.unreadSince).toBeUndefined();
	wait(2 * second);
	expect(one.unreadSince).toBe(second);
});
