import {expect, test} from 'vitest';
import type {Explanation} from '../../src/forecast/explain/explanation.ts';
import {formatExplanations} from '../../src/print/explanation/explanation.ts';
import {explanationLines} from '../../src/ui/components/detailLines.ts';
import {glyphsOf} from '../../src/ui/theme/glyphs.ts';
import {now} from '../print/forecasts.ts';

const step = (at: number | null, what: string) => ({at, what, rule: null, evidence: []});

const explanation: Explanation = {
	target: {kind: 'pod', namespace: 'shop', name: 'cart-0'},
	verdict: 'Scheduled',
	summary: 'The countdown runs.',
	eviction: null,
	held: null,
	steps: [
		step(now - 60_000, 'the node was tainted'),
		step(null, 'the pod tolerates it for 300s'),
		step(now - 90_000, 'the kubelet fell silent'),
		step(now + 240_000, 'the pod is deleted'),
	],
	whyNot: [{...step(null, 'no budget protects it'), reason: 'BudgetIgnored', effect: 'DoesNotPrevent'}],
	assumptions: [],
};

/** In which order a text says these. */
const inOrder = (text: string) =>
	[...text.matchAll(/tainted|tolerates|silent|deleted|what does not stop it/gi)].map(([word]) =>
		word.toLowerCase(),
	);

test('the dashboard tells what explain --full tells, in its order and under its titles', () => {
	const room = {now, timeZone: 'UTC', width: 100, glyphs: glyphsOf(true)};
	const lines = explanationLines(explanation, room).map(({spans}) => spans.map(({text}) => text).join(''));
	const order = ['silent', 'tainted', 'tolerates', 'deleted', 'what does not stop it'];
	expect(inOrder(lines.join('\n'))).toEqual(order);
	expect(inOrder(formatExplanations([explanation], now, {isFull: true}))).toEqual(order);
});
