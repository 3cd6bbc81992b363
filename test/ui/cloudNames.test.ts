import {expect, test} from 'vitest';
import {second} from '../../src/core/time/instant.ts';
import {SharedNames} from '../../src/ui/scene/sharedNames.ts';
import {deadZone} from '../lab/bench/ui/deadZone.ts';
import {aNodeForecast, now} from '../print/forecasts.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {textAt} from './support/dashboards.ts';
import {PressedDashboard} from './support/pressed.ts';
import {TestSource} from './support/scenes.ts';

/** Nodes with a cloud's names, in zones of one region: a third of them silent, after a minute all. */
function cloud(after = 20 * second): TestSource {
	const snapshot = deadZone(now, 30);
	const zones = (labels: Readonly<Record<string, string>>) => ({
		'topology.kubernetes.io/region': 'eu-west-1',
		'topology.kubernetes.io/zone': `eu-west-1${labels['topology.kubernetes.io/zone']}`,
	});
	const nodes = snapshot.nodes.map((node) => ({...node, labels: zones(node.labels)}));
	const forecaster = aForecaster({}, {...snapshot, nodes});
	return new TestSource(forecaster.forecast(now + after));
}

test.for([
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 140, rows: 40},
	{columns: 200, rows: 60},
])('names of a cloud can be read at $columns columns', (size) => {
	const dashboard = new PressedDashboard(cloud());
	const overview = dashboard.frame(size).join('\n');
	expect(overview).toMatch(/eu-west-1a/);
	for (const view of ['3', '4']) {
		dashboard.press([view], size);
		const lines = dashboard.frame(size);
		// The common part of all names is shown once, and no row truncates the rest.
		expect(lines.join('\n')).toContain('nodes ip-10-0-0-*.eu-west-1.');
		const rows = lines.filter((line) => /[●◐○] (Silent|\d)/.test(line));
		expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) {
			expect(row).not.toContain('compute.internal');
			expect(row).not.toMatch(/eu-west-1?…/);
		}
	}
});

test.for([
	{
		name: 'a node of another kind stays whole, and the others are shortened all the same',
		nodes: ['ip-10-0-1-7.eu.compute.internal', 'ip-10-0-2-9.eu.compute.internal', 'cp1'],
		short: ['1-7', '2-9', 'cp1'],
	},
	{
		name: 'of two domains that are as large none is left out',
		nodes: ['a.east.example', 'b.west.sample'],
		short: ['a.east.example', 'b.west.sample'],
	},
	{
		name: 'a short name that another node has is not used',
		nodes: ['ip-10-0-1-7.eu.compute.internal', 'ip-10-0-2-9.eu.compute.internal', '1-7'],
		short: ['ip-10-0-1-7.eu.compute.internal', 'ip-10-0-2-9.eu.compute.internal', '1-7'],
	},
])('$name', ({nodes, short}) => {
	const names = new SharedNames({nodes: nodes.map((name) => aNodeForecast({name})), zones: []});
	expect(nodes.map((name) => names.shortNode(name))).toEqual(short);
});

test.for([60, 80, 120])('folds of one workload in several zones tell them apart: %i columns', (columns) => {
	const dashboard = new PressedDashboard(cloud(60 * second));
	const size = {columns, rows: 30};
	dashboard.press(['4'], size);
	const rows = dashboard.frame(size).filter((row) => row.includes('team-0/web-0 (10 pods)'));
	for (const zone of ['a', 'b', 'c'])
		expect(rows.filter((row) => row.includes(`(10 pods) in eu-west-1${zone}`))).toHaveLength(1);
	for (const row of rows) expect(row).not.toContain('…');
	expect(dashboard.frame(size).find((row) => row.startsWith(' PODS'))).not.toContain('…');
});

test('what names of nodes have in common stands only above rows that have such names', () => {
	const dashboard = new PressedDashboard(cloud());
	const size = {columns: 80, rows: 24};
	dashboard.press(['5'], size);
	expect(dashboard.frame(size).join('\n')).not.toContain('ip-10-0-0-*');
});

test('a screen reader is told what the names have in common', async () => {
	const text = await textAt({columns: 120, rows: 40}, {}, true)(cloud(), '3');
	expect(text).toMatch(/names of nodes ip-10-0-0-\*\.eu-west-1\./);
});
