import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {drawnTimeout, playDrawn} from '../../support/drawn.ts';
import {type HiddenOptions, type Judged, judgeHidden} from '../../support/hiddenFlags.ts';

const kinds: readonly (HiddenOptions & {readonly kind: string; readonly count: number})[] = [
	{kind: 'nodes are tainted', count: 24, version: 'v1.36.3'},
	{kind: 'pods are deleted after a timeout', count: 8, version: 'v1.16.15', withoutTaints: true},
];

const sum = (all: readonly Judged[], of: (one: Judged) => number) =>
	all.reduce((total, one) => total + of(one), 0);

/** How many of the forecasts were within their ranges, as text and as a share. */
function shareOf(all: readonly Judged[]) {
	const [judged, wrong] = [sum(all, (one) => one.judged), sum(all, (one) => one.wrong.length)];
	const share = judged === 0 ? 1 : (judged - wrong) / judged;
	return {share, words: `${judged - wrong} of ${judged} (${(share * 100).toFixed(1)} %)`};
}

test('defaults that nobody can see are taken for what they are once two nodes of a zone were tainted', {
	timeout: drawnTimeout,
}, () => {
	const drawn = {suite: 'hiddenFlags', kind: 'defaults', count: 16};
	const all = playDrawn(drawn, (seed) => judgeHidden(seed, {version: 'v1.36.3', areDefaults: true})).flat();
	expect(all.flatMap(({wrong}) => wrong)).toEqual([]);
	expect(all.filter(({isDisproved}) => isDisproved)).toEqual([]);
	const cold = all.filter(({look}) => look === 'cold');
	const wider = (looks: readonly Judged[], least: number) =>
		looks.flatMap(({widerBy = []}) => widerBy).filter((by) => by > least).length /
		sum(looks, ({judged}) => judged);
	const last = [...Map.groupBy(cold, ({seed}) => seed).values()].flatMap((looks) => looks.slice(-1));
	const share = (looks: readonly Judged[], least = 0) => `${(wider(looks, least) * 100).toFixed(0)} %`;
	process.stdout.write(
		`defaults: ${share(cold)} of all ranges are wider than if the flags were told, ${share(cold, second)} by more than ` +
			`a second; ${share(last)} and ${share(last, second)} in the last look at each outage\n`,
	);
	expect(wider(cold, second)).toBeLessThan(0.5);
	expect(wider(last, second)).toBeLessThan(0.03);
});

test.for(kinds)(
	'flags that nobody can see, before they show and once they do: $kind',
	{timeout: drawnTimeout},
	({kind, count, ...options}) => {
		const all = playDrawn({suite: 'hiddenFlags', kind, count}, (seed) => judgeHidden(seed, options)).flat();
		const cold = all.filter(({look, isDisproved}) => look === 'cold' && isDisproved);
		const warm = all.filter(({look, isDisproved}) => look === 'warm' && isDisproved);
		const still = all.filter(({isDisproved}) => !isDisproved);
		const ofLook = (of: Judged['look']) => shareOf(all.filter(({look}) => look === of)).words;
		process.stdout.write(
			`${kind}: at first sight ${shareOf(cold).words}, with what was learned ${shareOf(warm).words}; ` +
				`where the defaults explain all that was seen ${shareOf(still).words}, ` +
				`with ${sum(still, ({falselyHeld}) => falselyHeld)} falsely held; all: cold ${ofLook('cold')}, warm ${ofLook('warm')}\n`,
		);
		const wrong = [...cold, ...warm].flatMap((one) => one.wrong);
		if (process.env['EVICTWATCH_SHOW_WRONG'])
			process.stdout.write(`${[...wrong, '---', ...still.flatMap((one) => one.wrong)].join('\n')}\n`);
		expect(sum([...cold, ...warm], ({falselyHeld}) => falselyHeld)).toBe(0);
		expect(shareOf(cold).share).toBeGreaterThanOrEqual(0.95);
		expect(shareOf(warm).share).toBeGreaterThanOrEqual(0.99);
		// Without better evidence, the forecast allows for common settings.
		expect(sum(still, ({falselyHeld}) => falselyHeld)).toBe(0);
		expect(shareOf(all.filter(({look}) => look === 'cold')).share).toBeGreaterThanOrEqual(0.95);
		expect(shareOf(all.filter(({look}) => look === 'warm')).share).toBeGreaterThanOrEqual(0.99);
	},
);
