import {beforeEach, expect, test} from 'vitest';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {Impacts} from '../../src/ui/scene/risks.ts';
import {commandsIn} from '../../src/ui/state/commands.ts';
import {outageMenu} from '../../src/ui/views/menus.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../print/forecasts.ts';
import {dashboardScreen, textAt} from './support/dashboards.ts';
import {PressedDashboard} from './support/pressed.ts';
import {TestSource} from './support/scenes.ts';
import {ShownScreen} from './support/terminal.ts';

const size = {columns: 110, rows: 24};
const pods = [
	aPodForecast({name: 'a', uid: 'a', eviction: inSeconds(10)}),
	aPodForecast({name: 'b', uid: 'b', namespace: 'bank', eviction: inSeconds(20)}),
	aPodForecast({name: 'c', uid: 'c', namespace: 'bank', verdict: 'Stays', eviction: null}),
];
let dashboard: PressedDashboard;
const text = () => dashboard.frame(size).join('\n');
const press = (...keys: readonly string[]) =>
	dashboard.press(
		keys.flatMap((key) => (key.startsWith(':') ? [...key, 'enter'] : [key])),
		size,
	);

beforeEach(() => {
	const forecast = aForecast({pods, nodes: [aNodeForecast()]});
	const impacts = new Impacts(workloadImpacts(forecast, nothingRelated));
	dashboard = new PressedDashboard(new TestSource(forecast, {impacts}));
});

test('one namespace scopes the sentence and the counts, and 0 shows all again', () => {
	expect(text()).toContain('2 pods will be evicted');
	expect(text()).toContain('STAYS 1');
	press('n', 's', 'h', 'o', 'p', 'enter');
	expect(text()).toContain('shop/a will be evicted in 0:10.');
	expect(text()).not.toContain('STAYS');
	expect(text()).toContain('namespace shop');
	press('0');
	expect(text()).toContain('2 pods will be evicted');
});

test.for([
	{typed: ':po bank', has: /PODS 2/, hasNot: 'shop/a '},
	{typed: ':po /shop', has: /PODS 1 of 3/, hasNot: 'bank/b '},
	{typed: ':pods', has: /PODS 3/, hasNot: 'no view'},
	{typed: ':po -l app=x', has: /PODS 0 of 3/, hasNot: 'shop/a '},
	{typed: ':po app=x', has: /filter -l app=x/, hasNot: 'shop/a '},
	{typed: ':po shop /bank', has: /namespace shop.*filter bank/, hasNot: 'shop/a '},
	{typed: ':po -A', has: /all namespaces are shown/, hasNot: 'no view'},
	{typed: ':po @other', has: /there is no other to choose/, hasNot: 'no view'},
	{typed: ':po none', has: /no pods in a namespace "none"/, hasNot: 'no view'},
	{typed: ':pressure none', has: /no node "none"/, hasNot: 'no view'},
])('$typed does as k9s does, or says why not', ({typed, has, hasNot}) => {
	press(typed);
	expect(text()).toMatch(has);
	expect(text().split('\n').slice(3).join('\n')).not.toContain(hasNot);
});

test('a key that does nothing says so, and ctrl-a names the views', () => {
	press('X');
	expect(text()).toContain('no key X here; ? shows the keys');
	press('delete');
	expect(text()).toContain('no key delete here; ? shows the keys');
	press('unknown');
	expect(text()).toContain('no key like that here; ? shows the keys');
	press('.');
	expect(text()).toContain('not here: no recording is played');
	press('ctrl-a');
	expect(text()).toContain('views: overview, zones, nodes, pods');
	press('j');
	expect(text()).not.toContain('views: ');
});

test('ctrl-d and ctrl-u move by half a page', () => {
	const many = Array.from({length: 60}, (_, at) =>
		aPodForecast({name: `p${10 + at}`, uid: `p${at}`, eviction: inSeconds(10 + at)}),
	);
	dashboard = new PressedDashboard(new TestSource(aForecast({pods: many})));
	press('4', 'ctrl-d');
	const at = Number(/▸.*shop\/p(\d+)/.exec(text())?.[1]) - 10;
	expect(at).toBeGreaterThan(4);
	expect(at).toBeLessThan(12);
	press('ctrl-u');
	expect(text()).toMatch(/▸.*shop\/p10/);
});

test('y shows the forecast as YAML, as -o yaml prints it', async () => {
	const shown = await textAt(size)(new TestSource(aForecast({pods})), 'y', 'G');
	expect(shown).toContain('kind: PodForecast');
	expect(shown).toContain('verdict: Scheduled');
});

test.for([
	{keys: ['0'], want: 'all namespaces are shown'},
	{keys: ['5', 'y'], want: 'no forecast of this'},
	{keys: ['6', 'enter'], want: 'there is no row here'},
	{keys: ['6', 'w'], want: 'there is no row here'},
	{keys: ['6', 'space'], want: 'there is no row here'},
	{keys: ['6', 'c'], want: 'nothing to copy here'},
	{keys: ['4', 'enter', 'enter', 'enter'], want: 'nothing more to open here; esc leads back'},
	{keys: ['4', 'enter', 'space'], want: 'only rows of a table are marked'},
	{keys: ['4', 'w', 'w'], want: 'enter asks what the cursor is on'},
	{keys: ['4', 'w', 'enter', 'w'], want: 'not of an answer; esc leads back'},
	{keys: ['4', 'y', 'y'], want: 'this is the YAML; c copies it'},
	{keys: ['esc'], want: 'this is the first screen; q quits'},
	{keys: ['/', 'f', 'up'], want: '/f_   no key up while typing; esc leaves'},
	{keys: ['/', 'f', 'tab'], want: '/f_   nothing completes it'},
	{keys: ['n', 'x', 'unknown'], want: 'namespace: x_   no key like that while typing'},
	{keys: ['n', 'x', 'tab'], want: 'namespace: x_   nothing completes it'},
])('$keys does nothing, and the status line says why', ({keys, want}) => {
	press(...keys);
	expect(text()).toContain(want);
});

test('where time passes by itself, + and - say so', async () => {
	const shown = await textAt(size)(new TestSource(aForecast({pods})), '+');
	expect(shown).toContain('not here: the time of a cluster passes by itself');
});

test('c in the YAML copies all of it, and says so', async () => {
	const copied: string[] = [];
	const onEffect = (effect: {readonly type: string; readonly text?: string}) => {
		if (effect.type === 'copy') copied.push(effect.text ?? '');
	};
	const shown = await textAt(size, {onEffect})(new TestSource(aForecast({pods})), 'y', 'c');
	expect(copied[0]).toMatch(/^after:\n.*\nkind: PodForecast\n.*\nzone: eu\/a\n$/s);
	expect(shown).toMatch(/copied the YAML of a \(\d+ lines\)/);
});

test('a line of an answer that is wider than the screen goes on below, and none of it is cut', async () => {
	const words =
		'evictions of the zone resume once two of its nodes are ready again, which nobody can say when';
	const source = Object.assign(new TestSource(aForecast({pods, nodes: [aNodeForecast()]})), {
		whatIf: async () => () => ['Supposed:', `  ${words}, and that is all`],
	});
	const shown = await textAt({columns: 80, rows: 24})(source, 'w', '\r');
	expect(shown.replaceAll(/\s+/g, ' ')).toContain(`${words}, and that is all`);
	expect(shown).not.toContain('…');
});

test('the details of a paused screen tell of what it shows, not of now', async () => {
	const because = ['its node fell silent at 13:58:00'];
	const then = aPodForecast({name: 'a', uid: 'a', eviction: inSeconds(10), because});
	const source = Object.assign(new TestSource(aForecast({pods: [then]})), {
		explain: (): never => {
			throw new Error('it tells of now');
		},
	});
	const shown = new ShownScreen(dashboardScreen(source), {columns: 100, rows: 24});
	await shown.settle();
	await shown.type('p');
	source.show(
		aForecast({pods: [aPodForecast({name: 'a', uid: 'a', verdict: 'Terminating', eviction: null})]}),
		now + 30_000,
	);
	await shown.type('\r');
	const details = await shown.text();
	expect(details).toContain('its node fell silent at 13:58:00');
	expect(details).toContain('these are the reasons at that time. p resumes');
	await shown.type('\u001b', 'w');
	expect(await shown.text()).toContain('a what-if begins with the present; p resumes');
	await shown.type('y', 'G');
	expect(await shown.text()).toContain('verdict: Scheduled');
	await shown.end();
});

test('the whole help stands on a screen of 120 by 40, with what signs and the words of THEN mean', () => {
	dashboard.press(['4', '?'], {columns: 120, rows: 40});
	const help = dashboard.frame({columns: 120, rows: 40}).join('\n');
	expect(help).toContain('HELP   any other key leaves it');
	for (const words of ['one row up', 'certain (Scheduled, Overdue)', 'nothing makes another pod'])
		expect(help).toContain(words);
});

test('the help of a demo is two pages on a screen of 80 by 24', () => {
	const source = Object.assign(new TestSource(aForecast({pods})), {
		speed: {get: () => 30, set: () => undefined},
	});
	dashboard = new PressedDashboard(source, {menu: outageMenu([])});
	const small = {columns: 80, rows: 24};
	dashboard.press(['4', '?'], small);
	expect(dashboard.frame(small).join('\n')).toContain('HELP  1-20 of 40 lines');
});

test('a wide screen draws no wall where nothing stands behind it', () => {
	const wide = {columns: 200, rows: 40};
	expect(dashboard.frame(wide).join('\n')).toContain('│');
	dashboard = new PressedDashboard(new TestSource(aForecast({pods: [], nodes: [aNodeForecast()]})));
	expect(dashboard.frame(wide).join('\n')).not.toContain('│');
});

test('what is paused gets older', () => {
	const source = new TestSource(aForecast({pods}));
	dashboard = new PressedDashboard(source);
	press('p');
	source.change({}, now + 42_000);
	expect(text()).toContain('paused, 42s old');
});

test('commands that destroy something come last', () => {
	const lines = [
		'  * its node deleted',
		'      kubectl delete node b1',
		'      (on node b1) systemctl restart kubelet',
		"      kubectl patch pod cart-0 -n shop --type=json -p '[]'",
	];
	expect(commandsIn(lines)).toEqual([
		'systemctl restart kubelet   # on node b1',
		"kubectl patch pod cart-0 -n shop --type=json -p '[]'",
		'kubectl delete node b1',
	]);
});

test('c copies the next command of an answer, shown whole and marked where it destroys', async () => {
	const node = 'ip-10-0-217-43.eu-west-1.compute.internal';
	const answer = [
		`      kubectl taint node ${node} node.kubernetes.io/unreachable:NoExecute-`,
		`      kubectl delete node ${node}`,
	];
	const copied: string[] = [];
	const source = Object.assign(new TestSource(aForecast({pods, nodes: [aNodeForecast()]})), {
		whatIf: async () => () => answer,
	});
	const onEffect = (effect: {readonly type: string; readonly text?: string}) => {
		if (effect.type === 'copy') copied.push(effect.text ?? '');
	};
	const shown = await textAt({columns: 80, rows: 24}, {onEffect})(source, 'w', '\r', 'c', 'c');
	expect(copied).toEqual(answer.map((line) => line.trim()));
	expect(shown).toContain('! destructive: kubectl delete node');
	expect(shown.replaceAll(/\s+/g, ' ')).toContain(
		`copied 2 of 2, c copies the next: kubectl delete node ${node} (destructive)`,
	);
});

test('where it is asked for, a workload that is about to reach zero is told of once', async () => {
	const notes: string[] = [];
	const impact = {
		...{namespace: 'payments', kind: 'StatefulSet', name: 'ledger', desired: 3, readyNow: 3, losses: []},
		...{lowest: {ready: 0, at: inSeconds(100)}, reachesZero: true, budgets: [], services: [], endpoints: []},
		...{priority: 0, held: 0, outcomes: {}},
	};
	const onEffect = (effect: {readonly type: string; readonly text?: string}) => {
		if (effect.type === 'notify') notes.push(effect.text ?? '');
	};
	for (const notify of [false, true])
		await textAt(size, {notify, onEffect})(
			new TestSource(aForecast({pods}), {impacts: new Impacts([impact])}),
			'j',
			'k',
		);
	expect(notes).toEqual(['payments/ledger 0 of 3 in 1:40']);
});
