import {expect, test} from 'vitest';
import type {Target} from '../../src/forecast/explain/explanation.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import {
	type QuestionKind,
	questionsOf,
	type Subject,
	subjectOfWorkload,
} from '../../src/ui/scene/questions.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds} from '../print/forecasts.ts';
import {dashboardScreen, textAt} from './support/dashboards.ts';
import {TestSource} from './support/scenes.ts';
import {ShownScreen} from './support/terminal.ts';

const size = {columns: 150, rows: 24};
const forecast = aForecast({
	nodes: [aNodeForecast()],
	pods: [
		aPodForecast({eviction: inSeconds(100, 110)}),
		aPodForecast({name: 'cart-1', uid: 'u1', eviction: inSeconds(5)}),
	],
});
const period = {
	name: 'node-monitor-period',
	unit: 'duration',
	value: 5000,
	source: {kind: 'profile', detail: ''},
} as const;

class AskedSource extends TestSource {
	readonly asked: (readonly [Subject, QuestionKind])[] = [];
	whatIf = async (target: Subject, question: QuestionKind): Promise<() => readonly string[]> => {
		this.asked.push([target, question]);
		return () => ['Supposed:', `  ${target.name} comes \u001b[31mback`];
	};
}

const textAfter = textAt(size);
const cart1 = {kind: 'pod', namespace: 'shop', name: 'cart-1'};

test('w offers what can be supposed of the row under the cursor', async () => {
	const text = await textAfter(new AskedSource(forecast), '4', 'w');
	expect(text).toContain('pod cart-1: what if…');
	expect(text).toMatch(/▸ what saves this pod, and until when/);
	expect(text).toContain('its node n1 falls silent');
	expect(text).toContain('the controller manager restarts');
});

test('what is chosen is asked once, and back leads back to what can be asked', async () => {
	const source = new AskedSource(forecast);
	const text = await textAfter(source, '4', 'w', '\r', '\u001b[B');
	expect(text).toContain('pod shop/cart-1: what saves this pod, and until when');
	expect(text).toContain('  cart-1 comes ^[[31mback');
	expect(source.asked).toEqual([[cart1, 'rescue']]);
	expect(await textAfter(source, '4', 'w', '\r', 'h')).toContain('pod cart-1: what if…');
	expect(await textAfter(source, '4', 'w', '\r', 'h', 'h')).toContain('PODS 2');
});

test('the cursor moves in what can be asked, and stops at its ends', async () => {
	const source = new AskedSource(forecast);
	const text = await textAfter(source, '4', 'w', 'k', 'j', '\r');
	expect(text).toContain('pod shop/cart-1: what if its node n1 falls silent?');
	await textAfter(source, '4', 'w', 'G', 'j', '\r');
	expect(source.asked).toEqual([
		[cart1, 'down'],
		[cart1, 'controllersDown'],
	]);
});

test('it asks from the reasoning of a row, too', async () => {
	const source = new AskedSource(forecast);
	expect(await textAfter(source, '3', 'd', 'w')).toContain('node n1: what if…');
});

test('a workload, and a node with pods in trouble, is asked what saves its pods, also by a command', async () => {
	const lost = aForecast({
		nodes: [aNodeForecast({verdict: 'Tainted', taints: ['node.kubernetes.io/unreachable']})],
		pods: forecast.pods,
	});
	const source = new AskedSource(lost);
	expect(await textAfter(source, '3', 'w')).toMatch(
		/▸ what saves its pods, and until when\n.*the node comes back/,
	);
	expect(await textAfter(source, '3', ':rescue\r')).toContain('node n1: what saves its pods, and until when');
	expect(await textAfter(source, '4', ':what-if\r')).toContain('pod cart-1: what if…');
	expect(source.asked).toEqual([[{kind: 'node', name: 'n1'}, 'rescue']]);
	const of = subjectOfWorkload({namespace: 'shop', kind: 'Pod', name: 'cart-1'});
	expect(questionsOf(of, lost).map(({title}) => title)).toContain('its node n1 comes back');
	expect(await textAfter(source, '8', ':rescue\r')).toContain('there is no row here');
});

test('a screen reader is told what can be asked', async () => {
	const shown = new ShownScreen(dashboardScreen(new AskedSource(forecast)), size, true);
	await shown.settle();
	await shown.type('4', 'w');
	expect(await shown.text()).toContain('what saves this pod');
	await shown.end();
});

test('where nobody can tell it says so', async () => {
	expect(await textAfter(new TestSource(forecast), '4', 'w', '\r')).toContain('Nobody here can tell.');
});

test.for<{name: string; target: Target; nodes: readonly NodeForecast[]; first: string; missing: string}>([
	{
		...{name: 'a node that is lost', target: {kind: 'node', name: 'n1'}},
		nodes: [aNodeForecast({verdict: 'Tainted', taints: ['node.kubernetes.io/unreachable']})],
		...{first: 'the node comes back', missing: 'the node falls silent'},
	},
	{
		...{name: 'a node that is well', target: {kind: 'node', name: 'n1'}},
		nodes: [aNodeForecast()],
		...{first: 'the node falls silent', missing: 'the NoExecute taint is taken off'},
	},
	{
		...{name: 'a zone', target: {kind: 'zone', name: 'eu/a'}},
		nodes: [aNodeForecast({zone: 'eu/a', verdict: 'Silent'})],
		...{first: 'the zone comes back', missing: 'the zone is tainted out-of-service'},
	},
])('of $name is asked what makes sense', ({target, nodes, first, missing}) => {
	const titles = questionsOf(target, aForecast({nodes, zones: [aZoneForecast({zone: 'eu/a'})]})).map(
		({title}) => title,
	);
	expect(titles[0]).toBe(first);
	expect(titles).not.toContain(missing);
	expect(titles).toContain('the controller manager stops');
});

test('how much time is left for the node to come back stands in the view of pods', async () => {
	const text = await textAfter(new TestSource(forecast, {settings: [period]}), '4');
	// A pass must see the heartbeat before the countdown ends: five seconds, and one for the calls.
	expect(text).toMatch(/shop\/cart-0 .* 14:01:34/);
	expect(text).toMatch(/shop\/cart-1 .* too late\?/);
	expect(await textAfter(new TestSource(forecast), '4')).not.toContain('14:01:34');
});
