import {expect, test} from 'vitest';
import type {Target} from '../../src/forecast/explain/explanation.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';
import {dashboardScreen} from './support/dashboards.ts';
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
	readonly asked: Target[] = [];
	whatIf = async (target: Target): Promise<readonly string[]> => {
		this.asked.push(target);
		return ['Supposed:', `  ${target.name} comes \u001b[31mback`];
	};
}

async function textAfter(source: TestSource, ...keys: readonly string[]): Promise<string> {
	const shown = new ShownScreen(dashboardScreen(source), size);
	await shown.settle();
	await shown.type(...keys);
	const text = await shown.text();
	await shown.end();
	return text;
}

test('w asks what would be of the row under the cursor, once, and back leads back', async () => {
	const source = new AskedSource(forecast);
	const text = await textAfter(source, '4', 'w', '\u001b[B');
	expect(text).toContain('what if: pod shop/cart-1');
	expect(text).toContain('  cart-1 comes ^[[31mback');
	expect(source.asked).toEqual([{kind: 'pod', namespace: 'shop', name: 'cart-1'}]);
	expect(await textAfter(source, '4', 'w', 'h')).toContain('PODS 2');
});

test('it asks from the reasoning of a row, too', async () => {
	const source = new AskedSource(forecast);
	expect(await textAfter(source, '3', '\r', 'w')).toContain('what if: node n1');
});

test('where nobody can tell it says so', async () => {
	expect(await textAfter(new TestSource(forecast), '4', 'w')).toContain('Nobody here can tell.');
});

test('how much time is left for the node to come back stands in the view of pods', async () => {
	const text = await textAfter(new TestSource(forecast, {settings: [period]}), '4');
	// A pass must see the heartbeat before the countdown ends: five seconds, and one for the calls.
	expect(text).toMatch(/shop\/cart-0 .* 1:34/);
	expect(text).toMatch(/shop\/cart-1 .* too late/);
	expect(await textAfter(new TestSource(forecast), '4')).not.toContain('1:34');
});
