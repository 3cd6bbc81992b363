import {expect, test} from 'vitest';
import {DemoFrames} from '../../cmd/demoFrame.ts';
import {Predictions} from '../../cmd/demoPredictions.ts';
import {second} from '../../src/core/time/instant.ts';
import {Script} from '../../src/demo/script.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../print/forecasts.ts';
import {aPod} from '../support/builders.ts';

const scenario = {
	name: 'node-dies',
	title: 'one node of twelve falls silent',
	size: {zones: {}, replicaFactor: 1},
	settings: {},
	steps: [],
};

function sceneWith(podCount: number, deletionCount: number) {
	const predictions = new Predictions(new Script(scenario, now));
	for (let index = 0; index < deletionCount; index++) {
		const pod = aPod(`gone-${index}`);
		const pods = [aPodForecast({uid: pod.uid, eviction: inSeconds(-30, index)})];
		predictions.observe([{type: 'podApplied', pod}], now - 90 * second);
		predictions.add(aForecast({observedAt: now - 81 * second, pods}));
		predictions.observe([{type: 'podApplied', pod: {...pod, deletionTimestamp: now}}], now - 20 * second);
	}
	const forecast = aForecast({
		nodes: [aNodeForecast({verdict: 'Tainted'})],
		zones: [aZoneForecast()],
		pods: Array.from({length: podCount}, (_, index) => aPodForecast({name: `cart-${index}`})),
	});
	return {forecast, now, startedAt: now - 2 * 60 * second, predictions, isPlain: true};
}

const frameOf = (podCount: number, deletionCount: number, rows = 24) =>
	new DemoFrames(scenario, 10).frame(sceneWith(podCount, deletionCount), rows);

test('a frame tells what is, what comes, and what happened', () => {
	expect(frameOf(2, 1)).toEqual([
		'node-dies: one node of twelve falls silent',
		'14:00:00 UTC, 2m into the demo, at 10x speed. Press q to quit.',
		'',
		'n1 is tainted; 2 pods to go, the first in 4m10s-5m2s: shop/cart-0.',
		'',
		'ZONE   STATE    READY   RATE    NEXT-TOKEN   QUEUE    NEXT-STATE',
		'eu/a   Normal   10/10   0.1/s   now          <none>   6 down: PartialDisruption',
		'',
		'NAMESPACE   NAME     IN           VERDICT     NODE   ZONE   CAUSE',
		'shop        cart-0   4m10s-5m2s   Scheduled   n1     eu/a   unreachable:NoExecute (300s)',
		'shop        cart-1   4m10s-5m2s   Scheduled   n1     eu/a   unreachable:NoExecute (300s)',
		'',
		'Deleted so far: 1, all within the predicted ranges, median width 30.0 s',
		'DELETED    PREDICTED              SAID          INSIDE   NAMESPACE   NAME',
		'13:59:40   13:59:30 to 14:00:00   1m1s before   yes      shop        gone-0',
	]);
});

test.for([
	{pods: 5, deletions: 0},
	{pods: 50, deletions: 0},
	{pods: 50, deletions: 50},
	{pods: 5, deletions: 50},
	{pods: 0, deletions: 50},
])('$pods pods and $deletions deletions fill a screen, and no more', ({pods, deletions}) => {
	for (const rows of [20, 24, 50]) {
		const lines = frameOf(pods, deletions, rows);
		expect(lines.length).toBeLessThan(rows);
		if (pods === 50) expect(lines.join('\n')).toMatch(/^\+ \d+ more$/m);
	}
});

test('columns keep their widths when rows go', () => {
	const frames = new DemoFrames(scenario, 10);
	const header = (lines: readonly string[]) => lines.find((line) => line.startsWith('NAMESPACE'));
	const wide = header(frames.frame(sceneWith(11, 0), 40));
	expect(header(frames.frame(sceneWith(1, 0), 40))).toBe(wide);
});
