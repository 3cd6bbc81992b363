import {expect, test} from 'vitest';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {deadZone} from '../lab/bench/ui/deadZone.ts';
import {now} from '../print/forecasts.ts';
import {PressedDashboard} from './support/pressed.ts';
import {TestSource} from './support/scenes.ts';

/** Nodes with a cloud's names, in zones of one region, a third of them silent. */
function cloud(): TestSource {
	const snapshot = deadZone(now, 30);
	const zones = (labels: Readonly<Record<string, string>>) => ({
		'topology.kubernetes.io/region': 'eu-west-1',
		'topology.kubernetes.io/zone': `eu-west-1${labels['topology.kubernetes.io/zone']}`,
	});
	const forecaster = new Forecaster(defaultSettings);
	const nodes = snapshot.nodes.map((node) => ({...node, labels: zones(node.labels)}));
	forecaster.observeSnapshot({...snapshot, nodes});
	return new TestSource(forecaster.forecast(now + 20 * second));
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
