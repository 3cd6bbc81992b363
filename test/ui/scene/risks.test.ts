import {expect, test} from 'vitest';
import type {WorkloadImpact} from '../../../src/impact/workloadImpact.ts';
import {shownForecast} from '../../../src/ui/scene/digest.ts';
import {headlineOf} from '../../../src/ui/scene/headline.ts';
import {Impacts, riskWords} from '../../../src/ui/scene/risks.ts';
import {
	aForecast,
	aNodeForecast,
	aPodForecast,
	aZoneForecast,
	inSeconds,
	now,
} from '../../print/forecasts.ts';
import {PressedDashboard} from '../support/pressed.ts';
import {TestSource} from '../support/scenes.ts';

const impact = (fields: Partial<WorkloadImpact>): WorkloadImpact => ({
	...{namespace: 'payments', kind: 'StatefulSet', name: 'ledger', desired: 3, readyNow: 3, losses: []},
	...{lowest: {ready: 0, at: inSeconds(130)}, reachesZero: true, budgets: [], services: [], endpoints: []},
	...{priority: 0, held: 0, outcomes: {}},
	...fields,
});

const broken = impact({
	...{name: 'web', reachesZero: false, lowest: {ready: 1, at: inSeconds(60)}},
	budgets: [{name: 'web', desiredHealthy: 3, lowestHealthy: 1, below: null, forbids: 2}],
});
const unserved = impact({
	...{name: 'cart', reachesZero: false, lowest: {ready: 2, at: inSeconds(60)}},
	endpoints: [{service: 'cart', readyNow: 2, alreadyLost: 0, lowest: {ready: 0, at: inSeconds(90)}}],
});
const well = impact({name: 'well', reachesZero: false, lowest: {ready: 3, at: null}});

test('what dies comes first, then services without endpoints, then broken budgets', () => {
	expect(new Impacts([broken, well, unserved, impact({})]).risks.map((risk) => riskWords(risk, now))).toEqual(
		[
			'payments/ledger 0 of 3 in 2:10',
			'service payments/cart no endpoints in 1:30',
			'payments/web 1 of 3 in 1:00, below its budget',
		],
	);
});

const cart = aPodForecast({
	name: 'cart',
	uid: '1',
	zone: 'eu/b',
	verdict: 'Expected',
	eviction: inSeconds(350),
});

test('the headline names what dies, and counts the others', () => {
	const text = headlineOf(
		shownForecast(aForecast({pods: [cart]})),
		now,
		'UTC',
		new Impacts([impact({}), unserved, broken]).risks,
	).text;
	expect(text).toBe(
		'shop/cart will be evicted in 5:50; payments/ledger 0 of 3 in 2:10; service payments/cart no endpoints in 1:30; 1 more at risk.'.replace(
			'S',
			's',
		),
	);
});

test('it says when the last eviction comes, where that is long after the first', () => {
	const pods = [
		cart,
		{...cart, uid: '2', eviction: inSeconds(10)},
		{...cart, uid: '3', eviction: inSeconds(400, 1900)},
	];
	expect(headlineOf(shownForecast(aForecast({pods})), now).text).toContain('the last by 14:31:40');
	const open = [...pods, {...cart, uid: '4', eviction: inSeconds(10, null)}];
	expect(headlineOf(shownForecast(aForecast({pods: open})), now).text).not.toContain('the last');
	const late = [...pods, {...cart, uid: '4', eviction: inSeconds(10, 38 * 3600)}];
	expect(headlineOf(shownForecast(aForecast({pods: late})), now).text).toContain(
		'the last by 2026-02-02T04:00:00Z',
	);
});

const unheard = (verdict: 'Silent' | 'Late', zone: string, at: number, ago: number) =>
	aNodeForecast({
		...{name: `${zone}${at}`, uid: `${zone}${at}`, zone, verdict},
		...{lastRenewal: now - ago * 1000, unknown: inSeconds(50 - ago, 55 - ago)},
	});

test('late nodes are not counted as silent: the headline, the title and the zones tell the same', () => {
	const late = ['eu/a', 'eu/b', 'eu/c'].map((zone) => unheard('Late', zone, 9, 12));
	const nodes = [...late, unheard('Silent', 'eu/b', 1, 22), unheard('Silent', 'eu/b', 2, 21)];
	const zones = ['eu/a', 'eu/b', 'eu/c'].map((zone) =>
		aZoneForecast({zone, size: 4, silent: zone === 'eu/b' ? 2 : 0}),
	);
	const forecast = aForecast({nodes, zones, pods: [cart]});
	expect(headlineOf(shownForecast(forecast), now).text).toContain('zone eu/b: 2 of 4 nodes silent for 22s');
	expect(headlineOf(shownForecast(forecast), now).text).not.toMatch(/eu\/a|in 3 zones/);
	const screen = new PressedDashboard(new TestSource(forecast)).frame({columns: 120, rows: 24}).join('\n');
	expect(screen).toContain('2 of 5 nodes in trouble');
	expect(screen).toContain('4/4, but 2 silent');
	expect(screen).not.toContain('late');
	expect(headlineOf(shownForecast({...forecast, nodes: late}), now).text).toContain(
		'3 nodes late in 3 zones',
	);
});

test('the headline names the zones of one region as their rows do', () => {
	const [zone, other] = ['eu-west-1/eu-west-1a', 'eu-west-1/eu-west-1b'];
	const nodes = [22, 21].map((ago, at) => unheard('Silent', zone, at, ago));
	const stopped = {kind: 'ZoneStopped', by: 'its nodes', since: now, releasedBy: 'theirs'} as const;
	const zones = [aZoneForecast({zone, size: 4}), aZoneForecast({zone: other, size: 4, stopped})];
	const {text} = headlineOf(shownForecast(aForecast({nodes, zones, pods: [cart]})), now);
	expect(text).toContain('zone eu-west-1a: 2 of 4 nodes silent');
	expect(text).toContain('evictions in zone eu-west-1b are stopped');
});

test('a small screen shows the zone whose nodes are silent before those in which all is well', () => {
	const zones = ['eu/a', 'eu/b', 'eu/c', 'eu/d'].map((zone) =>
		aZoneForecast({zone, size: 4, silent: zone === 'eu/d' ? 1 : 0}),
	);
	const forecast = aForecast({nodes: [unheard('Silent', 'eu/d', 1, 22)], zones, pods: [cart]});
	const rows = new PressedDashboard(new TestSource(forecast)).frame({columns: 60, rows: 15});
	expect(rows.find((row) => row.startsWith('  eu/'))).toMatch(/eu\/d .*4\/4, but 1 silent/);
});

test('the silent nodes of a large zone are told whole in its row', () => {
	const nodes = Array.from({length: 1667}, (_, at) => unheard('Silent', 'eu/b', at, 22));
	const zones = [aZoneForecast({zone: 'eu/b', size: 1667, silent: 1667})];
	for (const columns of [60, 80, 120]) {
		const screen = new PressedDashboard(new TestSource(aForecast({nodes, zones, pods: [cart]})));
		expect(screen.frame({columns, rows: 24}).join('\n')).toMatch(/1667\/1667, but 1667 silent( |$)/m);
	}
});

test('where all evictions are over the headline says so, before what is at risk', () => {
	const nodes = [aNodeForecast({name: 'b1', verdict: 'Tainted'})];
	const {risks} = new Impacts([impact({})]);
	expect(headlineOf(shownForecast(aForecast({nodes, pods: []})), now, undefined, risks).text).toMatch(
		/^No evictions expected: b1 is tainted; payments\/ledger 0 of 3 /,
	);
});

test('the headline is calm only where all pods can be seen, and no node is late', () => {
	const headline = (fields: Parameters<typeof aForecast>[0]) =>
		headlineOf(shownForecast(aForecast({nodes: [aNodeForecast({name: 'b1'})], pods: [], ...fields})), now)
			.text;
	expect(headline({})).toBe('No evictions expected: the node is well.');
	const problems = [{reason: 'PodsForbidden', message: 'pods may not be read'}];
	expect(headline({problems})).toBe('No evictions known: not all pods and nodes can be read.');
	const nodes = [aNodeForecast({name: 'b1', verdict: 'Late'})];
	const words = 'No eviction is certain, but some are possible: node b1 late for 4s.';
	expect(headline({nodes})).toBe(words);
	const tainted = aNodeForecast({name: 'b2', verdict: 'Tainted'});
	expect(headline({nodes: [...nodes, tainted]})).toBe(words);
	expect(headline({nodes: [...nodes, aNodeForecast({name: 'b2', verdict: 'Late'})]})).toBe(
		'No eviction is certain, but some are possible: zone eu/a: 2 of 2 nodes late for 4s.',
	);
	const silent = aNodeForecast({name: 'b2', verdict: 'Silent'});
	expect(headline({nodes: [...nodes, silent]})).toBe(
		'No eviction is certain, but some are possible: b1 is late.',
	);
	const screen = new PressedDashboard(new TestSource(aForecast({pods: [], problems})));
	screen.press(['4'], {columns: 120, rows: 24});
	expect(screen.frame({columns: 120, rows: 24}).join('\n')).not.toContain('pods are safe');
	screen.press(['1'], {columns: 120, rows: 30});
	expect(screen.frame({columns: 120, rows: 30}).join('\n')).not.toContain('no evictions expected');
});

test('nodes that are silent stand in the headline and in the row of their zone before any condition changes', () => {
	const nodes = [22, 21, 21, 21].map((ago, at) => unheard('Silent', 'eu/b', at, ago));
	const zone = aZoneForecast({zone: 'eu/b', size: 4, silent: 4});
	const forecast = aForecast({nodes, zones: [zone], pods: [cart]});
	expect(headlineOf(shownForecast(forecast), now).text).toContain(
		'zone eu/b: 4 of 4 nodes silent for 22s, first Unknown in 0:28–0:33',
	);
	const rows = new PressedDashboard(new TestSource(forecast)).frame({columns: 80, rows: 24});
	expect(rows.find((row) => row.startsWith('  eu/b'))).toContain('4/4, but 4 silent');
	// A workload may reach zero without evictions: pods of a node that becomes Unknown count as lost.
	const {risks} = new Impacts([impact({})]);
	expect(headlineOf(shownForecast({...forecast, pods: []}), now, undefined, risks).text).toMatch(
		/^Zone eu\/b: 4 of 4 nodes silent for 22s, first Unknown in 0:28–0:33; payments\/ledger 0 of 3 /,
	);
});

test('the view of workloads has how many are ready and the fewest, where that was read', () => {
	const source = new TestSource(
		aForecast({
			pods: [{...cart, namespace: 'payments', owner: {kind: 'StatefulSet', name: 'ledger', uid: 'l'}}],
		}),
		{impacts: new Impacts([impact({readyNow: 4, desired: 4})])},
	);
	const dashboard = new PressedDashboard(source);
	const size = {columns: 120, rows: 30};
	// Once: the sentence at the top names it.
	expect(dashboard.frame(size).join('\n').split('payments/ledger 0 of 4 in 2:10')).toHaveLength(2);
	dashboard.press(['5'], size);
	expect(dashboard.frame(size).join('\n')).toMatch(/payments\/statefulset\/ledger +4\/4 +0 /);
	dashboard.press(['enter'], size);
	expect(dashboard.frame(size).join('\n')).toContain(
		'statefulset/ledger in namespace payments: 1 will be evicted; next in 5m50s (14:05:50Z); 4/4 pods ready, 0 at the',
	);
});

test('what is at risk stands below the rows, and not in the sentence', () => {
	const names = ['ledger', 'gateway', 'vault'];
	const source = new TestSource(aForecast({pods: [cart]}), {
		impacts: new Impacts(names.map((name) => impact({name}))),
	});
	const frame = new PressedDashboard(source).frame({columns: 120, rows: 30}).join('\n');
	expect(frame).toMatch(/ AT RISK .*payments\/ledger .*payments\/gateway .*payments\/vault /);
	expect(frame.match(/payments\/ledger/g)).toHaveLength(1);
	expect(new PressedDashboard(source).frame({columns: 60, rows: 24}).join('\n')).toMatch(
		/AT RISK .*\n {9}.*1 more at risk/,
	);
});

test('on a wide screen they stand beside the table, however long the reasoning of a row is', () => {
	const because = Array.from({length: 60}, (_, index) => `step ${index}`);
	const forecast = aForecast({pods: [aPodForecast({because, eviction: inSeconds(10)})]});
	const source = new TestSource(forecast, {impacts: new Impacts([impact({})])});
	const frame = new PressedDashboard(source).frame({columns: 172, rows: 40}).join('\n');
	expect(frame).toContain('WORKLOADS AT RISK');
	expect(frame).toContain('payments/ledger 0 of 3 in 2:10');
});
