import {expect, test} from 'vitest';
import {EvictionCounts} from '../../src/forecast/evictionCounts.ts';
import {pendingOf} from '../../src/forecast/pending.ts';
import {Range} from '../../src/forecast/range.ts';
import {summarize} from '../../src/impact/clusterForecast.ts';
import {shownForecast} from '../../src/ui/scene/digest.ts';
import {headlineOf} from '../../src/ui/scene/headline.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../print/forecasts.ts';

const cause = {
	kind: 'Taint',
	taint: 'node.kubernetes.io/unreachable:NoExecute',
	tolerationSeconds: 60,
} as const;

/** Ten nodes that wait for their taints, which come every 100 s, with two pods on each. */
function tenWaiting() {
	const names = Array.from({length: 10}, (_, index) => `n${index}`);
	const nodes = names.map((name) => aNodeForecast({name, verdict: 'Queued', ready: 'Unknown', taints: []}));
	const pods = names.flatMap((node) =>
		['a', 'b'].map((name) =>
			aPodForecast({name, uid: node + name, node, verdict: 'Expected', eviction: inSeconds(60, 1060), cause}),
		),
	);
	const taints = names.map((_, index) => inSeconds(index * 100, index * 100 + 5));
	return aForecast({nodes, pods, zones: [aZoneForecast({rate: 0.01, taints, queue: names})]});
}

const countIn = (seconds: number, forecast = tenWaiting()) =>
	new EvictionCounts(pendingOf(forecast.pods), forecast).by(now + seconds * 1000);

test('of nodes in random order as many pods go as the tokens of their zone allow, whichever they are', () => {
	expect(countIn(50)).toEqual({expected: 0, from: 0, until: 0});
	// Three of ten taints have come 60 s before: each of the twenty pods has gone in three of ten cases.
	const {expected, from, until} = countIn(310);
	expect(expected).toBeCloseTo(5, 0);
	expect([from, until]).toEqual([expected, 6]);
	expect(countIn(2000)).toEqual({expected: 20, from: 20, until: 20});
	expect(summarize(tenWaiting()).evictions).toMatchObject({all: 20, within5Minutes: 5});
});

test('a pod that may go at any time of a range counts by the part of the cases that have come', () => {
	const forecast = aForecast({pods: [aPodForecast({eviction: inSeconds(0, 100)})]});
	expect(countIn(30, forecast).expected).toBeCloseTo(0.3);
	expect(countIn(30, forecast)).toMatchObject({from: 0, until: 1});
	const {expected, from, until} = countIn(95, forecast);
	expect([from, until]).toEqual([expected, 1]);
	const overdue = aPodForecast({verdict: 'Overdue', eviction: inSeconds(50, 100)});
	expect(countIn(0, aForecast({pods: [overdue]}))).toEqual({expected: 1, from: 1, until: 1});
	// What may not happen at all has not come in all cases even at the end.
	const perhaps = new Range(now, now + 10_000, now + 20_000, {probability: 0.25});
	expect(countIn(60, aForecast({pods: [aPodForecast({eviction: perhaps})]})).expected).toBe(0.25);
});

test('the headline counts what goes soon, and says when half has gone', () => {
	const {text} = headlineOf(shownForecast(tenWaiting()), now);
	expect(text).toMatch(
		/^20 pods will be evicted, about 5 \(5–6\) in the next 5 min: the first in 1:00–1:07, half by /,
	);
});

test('the ends of a count lie around its mean, and what is told later is the rest', () => {
	const twenty = Array.from({length: 20}, (_, index) =>
		aPodForecast({uid: `${index}`, eviction: inSeconds(262, 302)}),
	);
	expect(headlineOf(shownForecast(aForecast({pods: twenty})), now).text).toMatch(
		/^20 pods will be evicted, about 19 \(19–20\) in the next 5 min/,
	);
});

test('of nodes with many pods and few a token brings more or fewer', () => {
	const {pods, ...rest} = tenWaiting();
	const more = Array.from({length: 40}, (_, index) => ({...pods[0], uid: `more${index}`})) as typeof pods;
	const {expected, from, until} = countIn(160, aForecast({...rest, pods: [...pods, ...more]}));
	expect(from).toBeLessThan(expected / 2);
	expect(until).toBeGreaterThan(2 * expected);
});

test('half have gone once half of all cases have come, whichever pods these are', () => {
	const soon = Array.from({length: 49}, (_, index) =>
		aPodForecast({uid: `soon${index}`, eviction: inSeconds(9, 10)}),
	);
	const wide = Array.from({length: 51}, (_, index) =>
		aPodForecast({uid: `${index}`, eviction: inSeconds(0, 600)}),
	);
	const forecast = aForecast({pods: [...soon, ...wide]});
	const half = new EvictionCounts(pendingOf(forecast.pods), forecast).half() ?? 0;
	expect((half - now) / 1000).toBeLessThan(20);
	expect(new EvictionCounts([], forecast).half()).toBeUndefined();
});
