import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {playDrawn} from '../../support/drawn.ts';
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

test('defaults that nobody can see are taken for what they are once two nodes of a zone were tainted', () => {
	const drawn = {suite: 'hiddenFlags', kind: 'defaults', count: 16};
	const all = playDrawn(drawn, (seed) => judgeHidden(seed, {version: 'v1.36.3', areDefaults: true})).flat();
	expect(all.flatMap(({wrong}) => wrong)).toEqual([]);
	expect(all.filter(({isDisproved}) => isDisproved)).toEqual([]);
	const wider = (looks: readonly Judged[], least: number) =>
		looks.flatMap(({widerBy = []}) => widerBy).filter((by) => by > least).length /
		sum(looks, ({judged}) => judged);
	const last = [...Map.groupBy(all, ({seed}) => seed).values()].flatMap((looks) => looks.slice(-1));
	const share = (looks: readonly Judged[], least = 0) => `${(wider(looks, least) * 100).toFixed(0)} %`;
	process.stdout.write(
		`defaults: ${share(all)} of all ranges are wider than if the flags were told, ${share(all, second)} by more than ` +
			`a second; ${share(last)} and ${share(last, second)} in the last look at each outage\n`,
	);
	expect(wider(all, second)).toBeLessThan(0.5);
	// A burst of the client that nothing shows yet makes the ends of many deletions later.
	expect(wider(last, second)).toBeLessThan(0.15);
});

test.for(kinds)(
	'flags that nobody can see, by one look, before they show and once they do: $kind',
	({kind, count, ...options}) => {
		const all = playDrawn({suite: 'hiddenFlags', kind, count}, (seed) => judgeHidden(seed, options)).flat();
		const disproved = all.filter(({isDisproved}) => isDisproved);
		const still = all.filter(({isDisproved}) => !isDisproved);
		process.stdout.write(
			`${kind}: ${shareOf(all).words}; where something disproved a default ${shareOf(disproved).words}; ` +
				`where the defaults explain all that was seen ${shareOf(still).words}, ` +
				`with ${sum(still, ({falselyHeld}) => falselyHeld)} falsely held\n`,
		);
		if (process.env['EVICTWATCH_SHOW_WRONG'])
			process.stdout.write(`${all.flatMap(({wrong}) => wrong).join('\n')}\n`);
		expect(sum(all, ({falselyHeld}) => falselyHeld)).toBe(0);
		expect(shareOf(disproved).share).toBeGreaterThanOrEqual(0.95);
		// Without better evidence, the forecast allows for common settings.
		expect(shareOf(all).share).toBeGreaterThanOrEqual(0.95);
	},
);
