import {expect, test} from 'vitest';
import {liveSource} from '../../cmd/dashboard/dashboardSource.ts';
import {batch} from '../../src/core/model/observation.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import type {ObservedDeletion} from '../../src/forecast/ledger/observedDeletion.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../print/forecasts.ts';
import {dashboardScreen, textAt} from './support/dashboards.ts';
import {TestSource} from './support/scenes.ts';
import {ShownScreen} from './support/terminal.ts';

const size = {columns: 100, rows: 24};
const forecast = aForecast({nodes: [aNodeForecast()], pods: [aPodForecast({eviction: inSeconds(100, 110)})]});

const textOf = textAt(size);

test('before the first word it says that it reads', async () => {
	const source = new TestSource(forecast, {link: {state: 'opening'}, heardAt: undefined});
	source.change({forecast: undefined});
	const text = await textOf(source);
	expect(text).toContain('○ connecting');
	expect(text).toContain('Reading the cluster');
});

test('what is old says how old it is, and why, above all else', async () => {
	const source = new TestSource(forecast);
	const link = {state: 'lost', since: now, reason: 'cannot reach https://10.0.0.1'} as const;
	source.change({link}, now + 42 * second);
	const lines = (await textOf(source)).split('\n');
	expect(lines[0]).toContain('○ disconnected for 42s');
	expect(lines[1]).toContain('cannot reach https://10.0.0.1. Data from 14:00:00.');
	expect(lines[2]).toContain('shop/cart-0 will be evicted in 0:58–1:08.');
});

test('silence without a failure is told, too', async () => {
	const source = new TestSource(forecast);
	source.change({}, now + 40 * second);
	const text = await textOf(source);
	expect(text).toContain('○ silent, 40s old');
	expect(text).toContain('The API server sends nothing, not even heartbeats.');
});

test('who may hear no heartbeat cannot tell that the API server is silent', async () => {
	const problems = ['NodesForbidden', 'LeasesForbidden', 'LeaderLeaseForbidden'].map((reason) => ({
		reason,
		message: 'bob may not list',
	}));
	const source = new TestSource({...forecast, problems});
	source.change({}, now + 40 * second);
	const text = await textOf(source);
	expect(text).toContain('○ silent, 40s old');
	expect(text).toContain('3 problems (8 shows them), NodesForbidden: bob may not list');
	expect(text).not.toContain('sends nothing');
});

test('a view of what may not be read does not say that there is nothing', async () => {
	const message = 'bob may not list';
	const blind = new TestSource(aForecast({problems: [{reason: 'NodesForbidden', message}]}));
	expect(await textOf(blind, '2')).toContain('Zones are not known: nodes may not be read.');
	expect(await textOf(blind, '3')).toContain('Nodes are not known: they may not be read.');
	expect(await textOf(blind, '5')).toContain('No evictions known: not all pods and nodes can be read.');
	expect(await textOf(blind, '6')).toContain('No deletions known: not all pods and nodes can be read.');
	const deaf = new TestSource(aForecast({problems: [{reason: 'LeasesForbidden', message}]}));
	expect(await textOf(deaf, '5')).toContain('As leases are not seen, no evictions are known.');
});

test('watches that do not show everything are no silence of the API server', async () => {
	const message = 'watches have been interrupted since 13:59:50Z: forecasts are as of then';
	const source = new TestSource({...forecast, problems: [{reason: 'WatchInterrupted', message}]});
	source.change({}, now + 40 * second);
	const text = await textOf(source);
	expect(text).toContain('○ interrupted, 40s old');
	expect(text).toContain('WatchInterrupted: watches have been interrupted since 13:59:50');
	expect(text).not.toContain('sends nothing');
});

test('what is asked of the API server stands in the title, where there is room', async () => {
	const cost = {requests: 41, bytes: 1_234_567, watches: 1};
	const title = (await textOf(new TestSource(forecast, {cost}))).split('\n')[0];
	expect(title).toMatch(/● live, 0s old {3}41 requests, 1 watch, 1\.2 MB +14:00:00 UTC/);
});

test('problems are named on the screen, and listed in their view', async () => {
	const problems = [
		{reason: 'LeasesForbidden', message: 'leases may not be read: heartbeats cannot be seen'},
		{reason: 'OtherNamespacesForbidden', message: 'only shop may be read'},
	];
	const source = new TestSource({...forecast, problems});
	expect(await textOf(source)).toContain(
		'2 problems (8 shows them), LeasesForbidden: leases may not be read',
	);
	expect(await textOf(source, '8')).toMatch(/OtherNamespacesForbidden +only shop may be read/);
});

test('the score so far stands in the title, and a miss is a miss', async () => {
	const happening = (isInside: boolean | undefined, uid: string) => ({
		...{at: now, namespace: 'shop', name: `p-${uid}`, uid, node: 'n1', isEviction: true, isInside},
		firstPrediction:
			isInside === undefined
				? undefined
				: {madeAt: now - minute, range: isInside ? inSeconds(-5, 5) : inSeconds(-30, -20)},
	});
	const source = new TestSource(forecast, {
		happenings: [happening(true, 'a'), happening(false, 'b'), happening(undefined, 'c')],
	});
	expect(await textOf(source)).toContain('accuracy 1/2 in range');
	const events = await textOf(source, '6');
	expect(events).toMatch(/p-c .*not predicted/);
	expect(events).toMatch(/p-b .*13:59:30–13:59:40 .*20s late/);
	expect(events).toMatch(/p-a .*inside/);
});

test('names from the API cannot move the cursor', async () => {
	const evil = aPodForecast({name: 'x\u001b[2J\u202e', node: 'n\r\nn', eviction: inSeconds(9)});
	const text = await textOf(new TestSource(aForecast({pods: [evil]})));
	expect(text).toContain('shop/x^[[2J');
	expect(text).toContain('evictwatch');
});

const noSettings: readonly Setting[] = [];
const noHappenings: readonly ObservedDeletion[] = [];

function live() {
	let clock = now;
	const source = liveSource({
		...{
			title: 'test',
			version: undefined,
			now: () => clock,
			explain: () => undefined,
			settings: () => noSettings,
			happenings: () => noHappenings,
		},
		...{falseAlarms: () => 0},
	});
	const lease = {namespace: 'kube-node-lease', name: 'n1', renewTime: now};
	return {
		source,
		at: (seconds: number) => {
			clock = now + seconds * second;
			return clock;
		},
		hear: () => source.push(batch([{type: 'leaseApplied', lease}], clock)),
	};
}

test('where nothing is to be done, nothing is drawn of it', () => {
	const {source} = live();
	source.publish(forecast);
	const scene = source.get();
	source.showReturns([]);
	expect(source.get()).toBe(scene);
	const rescues = [{node: 'n1', rescues: [], held: 1, price: {sure: [], unsure: [], held: []}}];
	source.showReturns(rescues);
	expect(source.get()).not.toBe(scene);
});

const unreachable = [{reason: 'ServerUnreachable', message: 'connection refused'}];
test('a connection that is lost is told with its reason, and since when', () => {
	const {source, at, hear} = live();
	hear();
	source.publish(forecast);
	at(26);
	source.push({type: 'problems', at: source.now(), problems: unreachable});
	expect(source.get().link).toEqual({state: 'lost', since: now, reason: 'connection refused'});
	expect(source.get().forecast?.nodes).toEqual(forecast.nodes);
});

test('a cluster that confirms that nothing happens is not silent', async () => {
	const {source, at, hear} = live();
	hear();
	source.publish(forecast);
	source.push(batch([], at(20), {type: 'confirmed'}));
	source.publish(forecast);
	expect(source.get().heardAt).toBe(now + 20 * second);
});

test('a takeover amid an outage is told for two minutes', async () => {
	const source = new TestSource(forecast, {tookOverAt: now});
	expect(await textOf(source)).toContain(
		'A controller manager took over at 14:00:00Z: every grace period and every countdown began again.',
	);
	source.show(forecast, now + 121 * second);
	expect(await textOf(source)).not.toContain('took over');
});

test('after a reconnect, what was not heard is a gap, and is told for a while', async () => {
	const {source, at, hear} = live();
	hear();
	at(1);
	source.publish(forecast);
	source.push({type: 'problems', at: source.now(), problems: unreachable});
	at(60);
	hear();
	source.push({type: 'problems', at: source.now(), problems: []});
	at(61);
	source.publish(forecast);
	expect(source.get().gaps).toEqual([{from: now, to: now + 60 * second, reason: 'connection refused'}]);
	expect(await textOf(source)).toContain('Back since 14:01:00: nothing was heard for 1m');
	expect(await textOf(source, '8')).toMatch(/Gap +nothing was heard from 14:00:00 to 14:01:00 UTC/);
	at(240);
	hear();
	at(241);
	source.publish(forecast);
	expect(await textOf(source)).not.toContain('Back since');
});

test('a forecast that is shown again is not drawn again, and its rows need not be found again', () => {
	const {source, at, hear} = live();
	let draws = 0;
	source.subscribe(() => {
		draws += 1;
	});
	hear();
	at(1);
	source.publish(forecast);
	expect(draws).toBe(1);
	const {link} = source.get();
	hear();
	at(2);
	source.publish(forecast);
	expect(draws).toBe(1);
	expect(source.get()).toMatchObject({heardAt: now + second, forecast});
	expect(source.get().link).toBe(link);
	at(3);
	source.publish({...forecast});
	expect(draws).toBe(2);
	source.push({type: 'problems', at: source.now(), problems: unreachable});
	expect(draws).toBe(3);
});

test('before the first forecast nodes and zones are shown as they are, and nothing is said of what comes', async () => {
	const {source, hear} = live();
	const census = {...forecast, pods: [], zones: [aZoneForecast({nextTaint: null})]};
	source.showNodes(census);
	expect(source.isCensus()).toBe(true);
	const text = await textOf(source);
	expect(text).toMatch(/ZONE +STATE[^\n]*\n[^\n]*\d+\/\d+/);
	expect(text).toMatch(/pods are still being read/i);
	expect(text).not.toMatch(/never|no evictions expected/i);
	source.push({type: 'problems', at: source.now(), problems: [{reason: 'LeasesForbidden', message: 'no'}]});
	expect(source.get()).toMatchObject({reading: {read: 0}});
	hear();
	source.publish(forecast);
	expect(source.get()).toMatchObject({reading: undefined, forecast: {pods: forecast.pods}});
	source.showNodes(census);
	expect(source.isCensus()).toBe(false);
	expect(await textOf(source)).not.toMatch(/still being read/i);
});

test('a forecast of renewals alone is drawn with the clock', () => {
	const {source, hear} = live();
	let draws = 0;
	source.subscribe(() => {
		draws += 1;
	});
	hear();
	source.publish(forecast, now, true);
	const later = {...forecast};
	source.publish(later, now + second, false);
	expect(draws).toBe(1);
	expect(source.get().forecast?.digest.forecast).toBe(later);
});

test('problems that are over are forgotten', () => {
	const {source, at, hear} = live();
	hear();
	at(1);
	source.publish(forecast);
	source.push({type: 'problems', at: source.now(), problems: [{reason: 'LeasesForbidden', message: 'no'}]});
	expect(source.get().forecast?.problems).toHaveLength(1);
	source.push({type: 'problems', at: source.now(), problems: []});
	expect(source.get().forecast?.problems).toEqual([]);
});

test('to a screen reader it is told, not drawn', async () => {
	const source = new TestSource(forecast);
	const shown = new ShownScreen(dashboardScreen(source), {columns: 200, rows: 24}, true);
	const text = await shown.text();
	await shown.end();
	expect(text.split('\n').slice(0, 3)).toEqual([
		'shop/cart-0 will be evicted in 1:40–1:50.',
		'overview, test, 14:00:00 UTC.',
		expect.stringMatching(
			/^Row 1 of 1: in certain 1:40–1:50, likely 1:41–1:49, name shop\/cart-0, node n1, zone eu\/a, cause unreachable:NoExecute \(300s\), then StuckTerminating\.$/,
		),
	]);
});

test('a screen reader gets words for signs, and no bars', async () => {
	const source = new TestSource(aForecast({zones: [aZoneForecast()]}));
	const shown = new ShownScreen(dashboardScreen(source), {columns: 200, rows: 24}, true);
	await shown.type('2');
	const zones = await shown.text();
	await shown.end();
	expect(zones.split('\n').at(-1)).toBe(
		'Row 1 of 1: zone eu/a, state Normal, ready 10/10, next state 6 more down: stop, rate 0.1/s.',
	);
});

test('a bug while drawing gives the terminal back, and is told by whoever started the screen', async () => {
	const bug = new Error('a bug');
	const source = new TestSource(forecast);
	const shown = new ShownScreen(dashboardScreen(source), size);
	expect(await shown.text()).toContain('shop/cart-0 will be evicted');
	source.now = () => {
		throw bug;
	};
	const ended = expect(shown.running.ended).rejects.toThrow('a bug');
	shown.terminal.stdin.push('x');
	await ended;
	await shown.terminal.flush();
	expect(
		shown.terminal.written.endsWith('\u001b[?25h') || shown.terminal.written.includes('\u001b[?1049l'),
	).toBe(true);
});

test('a calm screen says whose kubelets were not queried, and a node under pressure that evictions are possible', async () => {
	const calm = {pods: [aPodForecast({verdict: 'Safe', eviction: null})]};
	const text = await textOf(new TestSource(aForecast({...calm, nodes: [aNodeForecast()]})));
	expect(text).toContain('No evictions expected; memory and disk of 1 node were not queried.');
	const all = await textOf(new TestSource(aForecast({...calm, nodes: [aNodeForecast()]})), '4');
	expect(all).toContain('their nodes are well; memory and disk of 1 node were not queried.');
	const pressed = aNodeForecast({pressure: {conditions: ['MemoryPressure'], next: null}});
	const possible = await textOf(new TestSource(aForecast({...calm, nodes: [pressed]})));
	expect(possible).toMatch(/No eviction is certain, but some are possible: \S+ has MemoryPressure\./);
});
