import {expect, test} from 'vitest';
import {waitingQuestions} from '../../../cmd/dashboard/screenSession.ts';
import {finish} from '../../../src/forecast/pausable.ts';

test('questions are worked on in the order in which they were asked, when there is time for them', async () => {
	const questions = waitingQuestions();
	const worked: string[] = [];
	const ask = (name: string) =>
		questions.ask(function* () {
			worked.push(name);
			yield;
			return name;
		});
	const answers = [ask('first'), ask('second')];
	expect(worked).toEqual([]);
	for (let work = questions.next(); work; work = questions.next()) finish(work);
	expect(await Promise.all(answers)).toEqual(['first', 'second']);
	expect(questions.next()).toBeUndefined();
});

test('a question that fails fails alone', async () => {
	const questions = waitingQuestions();
	const answer = questions.ask(function* (): Generator<undefined, string, undefined> {
		yield;
		throw new Error('no answer');
	});
	const work = questions.next();
	if (work) finish(work);
	await expect(answer).rejects.toThrow('no answer');
});
