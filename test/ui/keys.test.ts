import {beforeEach, expect, test} from 'vitest';
import {commandsIn} from '../../src/ui/state/commands.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../print/forecasts.ts';
import {textAt} from './support/dashboards.ts';
import {PressedDashboard} from './support/pressed.ts';
import {TestSource} from './support/scenes.ts';

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
	dashboard = new PressedDashboard(new TestSource(aForecast({pods, nodes: [aNodeForecast()]})));
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
	{typed: ':po none', has: /no pods in a namespace "none"/, hasNot: 'no view'},
	{typed: ':pressure none', has: /no node "none"/, hasNot: 'no view'},
])('$typed does as k9s does, or says why not', ({typed, has, hasNot}) => {
	press(typed);
	expect(text()).toMatch(has);
	expect(text().split('\n').slice(3).join('\n')).not.toContain(hasNot);
});

test(':ctx asks for the menu of clusters', () => {
	expect(press(':ctx')).toMatchObject([{type: 'menu'}]);
});

test('a key that does nothing says so, and ctrl-a names the views', () => {
	press('X');
	expect(text()).toContain('no key X here; ? shows the keys');
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
		'systemctl restart kubelet',
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
		...{priority: 0, outcomes: {}},
	};
	const onEffect = (effect: {readonly type: string; readonly text?: string}) => {
		if (effect.type === 'notify') notes.push(effect.text ?? '');
	};
	for (const notify of [false, true])
		await textAt(size, {notify, onEffect})(new TestSource(aForecast({pods}), {impacts: [impact]}), 'j', 'k');
	expect(notes).toEqual(['payments/ledger 0 of 3 in 1:40']);
});
