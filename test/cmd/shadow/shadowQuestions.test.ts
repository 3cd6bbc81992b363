import {expect, test} from 'vitest';
import {shadowQuestions} from '../../../cmd/shadow/shadowQuestions.ts';
import {refused} from '../../../src/cluster/transport/requestError.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import {aPod} from '../../support/builders.ts';

const unconfirmed = (count: number) =>
	Array.from({length: count}, (_, index) => ({
		...({kind: 'Pod', namespace: 'default', name: `web-${index}`, uid: `u${index}`} as const),
	}));

/** A cluster that answers on request, and a client of it. */
function anAsker() {
	const asked: string[] = [];
	const answered: Instant[] = [];
	let [now, answer] = [1000, Promise.withResolvers<ReturnType<typeof aPod>>()];
	const cluster = {
		now: () => now,
		node: () => Promise.resolve(undefined),
		pod: (_: string, name: string) => {
			asked.push(name);
			return answer.promise;
		},
	};
	const questions = shadowQuestions(cluster, {answered: (_, askedAt) => answered.push(askedAt)});
	return {
		...{questions, asked, answered},
		settle: async (isAnswered: boolean, error: Error = new Error('nobody answers')) => {
			if (isAnswered) answer.resolve(aPod('web'));
			else answer.reject(error);
			await new Promise(setImmediate);
			answer = Promise.withResolvers();
		},
		pass: (by: number) => {
			now += by;
		},
	};
}

test('few questions are open at a time, and the same is not asked again soon', async () => {
	const {questions, asked, answered, settle, pass} = anAsker();
	questions.ask(unconfirmed(25));
	questions.ask(unconfirmed(25));
	expect(asked).toHaveLength(10);
	await settle(true);
	expect(answered).toHaveLength(10);
	pass(1000);
	questions.ask(unconfirmed(12));
	expect(asked.slice(10)).toEqual(['web-10', 'web-11']);
	await settle(true);
	pass(10_000);
	questions.ask(unconfirmed(1));
	expect(asked.slice(12)).toEqual(['web-0']);
	await settle(true);
	expect(answered.at(-1)).toBe(12_000);
});

test('what is not answered is left to the watches', async () => {
	const {questions, asked, answered, settle, pass} = anAsker();
	questions.ask(unconfirmed(1));
	await settle(false);
	expect(answered).toEqual([]);
	pass(11_000);
	questions.ask(unconfirmed(1));
	expect(asked).toHaveLength(2);
	await settle(true);
	expect(answered).toEqual([12_000]);
});

test('however fast they are answered, no more than ten are asked in a second', async () => {
	const {questions, asked, settle, pass} = anAsker();
	for (let step = 0; step < 12; step += 1) {
		questions.ask(unconfirmed(100));
		await settle(true);
		pass(250);
	}
	expect(asked).toHaveLength(30);
});

test.for([
	{name: 'ten seconds', retryAfter: 1000, rests: 10_000},
	{name: 'as long as it asks for', retryAfter: 15_000, rests: 15_000},
	{name: 'a minute at the most', retryAfter: 86_400_000, rests: 60_000},
])('a server that is too busy is left alone for $name', async ({retryAfter, rests}) => {
	const {questions, asked, settle, pass} = anAsker();
	questions.ask(unconfirmed(1));
	await settle(false, refused(429, {}, 'GET /api/v1/pods', retryAfter));
	pass(rests - 1);
	questions.ask(unconfirmed(2));
	expect(asked).toHaveLength(1);
	pass(1);
	questions.ask(unconfirmed(2).slice(1));
	expect(asked).toEqual(['web-0', 'web-1']);
	await settle(true);
});
