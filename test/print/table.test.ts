import {expect, test} from 'vitest';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {inTable} from '../../src/print/tables/kind.ts';
import {nodes} from '../../src/print/tables/nodeKind.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {zones} from '../../src/print/tables/zoneKind.ts';
import {aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from './forecasts.ts';

const narrow = {isWide: false, showHeaders: true};
const held = {by: 'zone eu/a', since: null, releasedBy: '2 nodes', ifReleasedNow: inSeconds(5, 9)};

test('pods', () => {
	const items = [
		aPodForecast({name: 'late', verdict: 'Overdue', eviction: inSeconds(-20, -12)}),
		aPodForecast({node: '', zone: '', cause: null}),
		aPodForecast({name: 'held', verdict: 'Held', eviction: null, held, cause: {kind: 'NodePressure'}}),
		aPodForecast({
			name: 'stays',
			verdict: 'Stays',
			eviction: null,
			cause: {kind: 'Taint', taint: 'example.com/drain:NoExecute'},
		}),
		aPodForecast({
			name: 'intolerant',
			cause: {
				kind: 'OutOfService',
				taint: 'node.kubernetes.io/out-of-service:NoExecute',
				tolerationSeconds: null,
			},
			eviction: inSeconds(1),
		}),
		aPodForecast({name: 'gone', verdict: 'Terminating', eviction: null, cause: null}),
	];
	expect(`\n${new Table(pods, narrow).rows(items, now)}`).toBe(`
NAMESPACE   NAME         IN            AT                    VERDICT       NODE     ZONE     CAUSE
shop        late         overdue 12s   13:59:40Z/13:59:48Z   Overdue       n1       eu/a     unreachable:NoExecute (300s)
shop        cart-0       4m10s-5m2s    14:04:10Z/14:05:02Z   Scheduled     <none>   <none>   -
shop        held         held          -                     Held          n1       eu/a     zone eu/a
shop        stays        -             -                     Stays         n1       eu/a     example.com/drain:NoExecute
shop        intolerant   1s            14:00:01Z             Scheduled     n1       eu/a     out-of-service:NoExecute (not tolerated)
shop        gone         -             -                     Terminating   n1       eu/a     already deleted
`);
});

test('pods with -o wide and without headers', () => {
	const table = new Table(pods, {isWide: true, showHeaders: false});
	const items = [
		aPodForecast({owner: {kind: 'StatefulSet', name: 'cart', uid: 'u'}}),
		aPodForecast({name: 'b', eviction: inSeconds(250, null), after: null, because: []}),
		aPodForecast({name: 'c', after: {outcome: 'Replaced', placement: 'None', detail: 'no node takes it'}}),
	];
	expect(`\n${table.rows(items, now)}`).toBe(`
shop   cart-0   4m10s-5m2s       4m15s-4m57s   14:04:10Z/14:05:02Z   Scheduled   n1    eu/a   unreachable:NoExecute (300s)   StatefulSet/cart   StuckTerminating   n1 is unreachable
shop   b        4m10s or later   -             14:04:10Z or later    Scheduled   n1    eu/a   unreachable:NoExecute (300s)   <none>             <none>             <none>
shop   c        4m10s-5m2s       4m15s-4m57s   14:04:10Z/14:05:02Z   Scheduled   n1    eu/a   unreachable:NoExecute (300s)   <none>             Pending            n1 is unreachable
`);
});

test('nodes', () => {
	const {ready, ...fresh} = aNodeForecast({name: 'n3', lastRenewal: null, zone: '<none>'});
	const items = [
		aNodeForecast({
			verdict: 'Queued',
			ready: 'Unknown',
			lastRenewal: now - 95_000,
			noExecute: inSeconds(3, 33),
			nextProbability: 1 / 3,
		}),
		aNodeForecast({name: 'n2', verdict: 'Silent', lastRenewal: now - 31_000, unknown: inSeconds(14, 24)}),
		fresh,
	];
	expect(`\n${new Table(nodes, narrow).rows(items, now)}`).toBe(`
NAME   VERDICT   READY     ZONE     HEARTBEAT   UNKNOWN-IN   TAINT-IN   TAINT-AT              QUEUE
n1     Queued    Unknown   eu/a     1m35s       -            3s-33s     14:00:03Z/14:00:33Z   next: 33%
n2     Silent    True      eu/a     31s         14s-24s      -          -                     -
n3     Healthy   <none>    <none>   <unknown>   -            -          -                     -
`);
});

test('the pressure of a node, and whom its kubelet evicts next', () => {
	const cellOf = (pressure: NodeForecast['pressure']) =>
		nodes.columns
			.find(({title}) => title === 'PRESSURE')
			?.cell(aNodeForecast(pressure && {pressure}), inTable(now));
	const next = {namespace: 'shop', name: 'cart-0', when: inSeconds(5, 10), isCertain: true};
	expect(cellOf(undefined)).toBe('-');
	expect(cellOf({conditions: ['MemoryPressure', 'DiskPressure'], next: null})).toBe('Memory,Disk');
	expect(cellOf({conditions: ['MemoryPressure'], next})).toBe('Memory: shop/cart-0 5s-10s');
	expect(cellOf({conditions: [], next})).toBe('soon: shop/cart-0 5s-10s');
});

test('zones', () => {
	const items = [
		aZoneForecast({
			state: 'PartialDisruption',
			notReady: 7,
			rate: 0,
			nextTaint: null,
			queue: ['b-1', 'b-2', 'b-3', 'b-4', 'b-5'],
			toNextState: [
				{state: 'Normal', rate: 0.1, nodesBack: 2},
				{state: 'FullDisruption', rate: 0.1, nodesDown: 3},
			],
		}),
		aZoneForecast({zone: 'eu/b', nextTaint: inSeconds(4, 9), queue: ['c-1'], rate: Math.fround(0.1)}),
		aZoneForecast({zone: '<none>', toNextState: []}),
		{
			...aZoneForecast({
				...{zone: 'eu/cp', size: 2, notReady: 1},
				toNextState: [{state: 'FullDisruption', rate: 0, nodesDown: 1, isControllerLost: true}],
			}),
		},
	];
	expect(`\n${new Table(zones, narrow).rows(items, now)}`).toBe(`
ZONE     STATE               READY   RATE      NEXT-TAINT   WAITING                   NEXT-STATE
eu/a     PartialDisruption   3/10    stopped   never        b-1,b-2,b-3 + 2 more...   2 back: evictions resume at 0.1/s (Normal); 3 more down: evictions resume at 0.1/s (FullDisruption)
eu/b     Normal              10/10   0.1/s     4s-9s        c-1                       6 more down: evictions stop (PartialDisruption)
<none>   Normal              10/10   0.1/s     -            <none>                    <none>
eu/cp    Normal              1/2     0.1/s     -            <none>                    1 more down: all evictions stop, as no controller manager is left (FullDisruption)
`);
});

test('text from the API cannot reach the terminal as it is', () => {
	const items = [aPodForecast({node: 'n1\u001b[2J', zone: 'eu\na'})];
	expect(new Table(pods, narrow).rows(items, now)).toContain('n1^[[2J   eu...');
});

test('an absolute time has its date where that is another day', () => {
	const table = new Table(pods, {isWide: false, showHeaders: false, timeZone: 'Asia/Kolkata'});
	expect(table.rows([aPodForecast({eviction: inSeconds(13 * 3600)})], now)).toContain(
		'   13h   2026-02-01T08:30:00+05:30   Scheduled',
	);
});

test.for<{cause: NonNullable<PodForecast['cause']>; cell: string; brief: string}>([
	{
		cause: {
			...{kind: 'DeviceTaint', driver: 'gpu.example.com', pool: 'rack/1', device: 'gpu-0'},
			...{taint: 'example.com/broken:NoExecute', tolerationSeconds: 30},
		},
		cell: 'device gpu.example.com/rack/1/gpu-0 example.com/broken:NoExecute (30s)',
		brief: 'device gpu-0',
	},
	{
		cause: {kind: 'NodeRepair', by: 'NodeHealthCheck workers'},
		cell: 'NodeRepair (NodeHealthCheck workers)',
		brief: 'NodeRepair',
	},
	{cause: {kind: 'NodeShutdown'}, cell: 'NodeShutdown', brief: 'NodeShutdown'},
	{
		cause: {kind: 'NodePressure', signals: ['memory.available']},
		cell: 'NodePressure (memory.available)',
		brief: 'NodePressure',
	},
])('what evicts a pod is named in tables and on the dashboard: $brief', ({cause, cell, brief}) => {
	const pod = aPodForecast({cause});
	const column = pods.columns.find(({title}) => title === 'CAUSE');
	expect([column?.cell(pod, inTable(now)), column?.brief?.(pod, inTable(now), 16)]).toEqual([cell, brief]);
});

test('where there is no room, columns that tell nothing of any row go first; a watch has them once they tell something', () => {
	const calm = aNodeForecast({name: 'n1', verdict: 'Healthy'});
	const silent = aNodeForecast({
		name: 'n2',
		verdict: 'Silent',
		unknown: inSeconds(25),
		noExecute: inSeconds(25),
	});
	const table = new Table(nodes, {...narrow, width: 60});
	expect(table.rows([calm], now).split('\n')).toEqual([
		'NAME   VERDICT   READY   ZONE   HEARTBEAT   UNKNOWN-IN',
		expect.stringMatching(/^n1 +Healthy +True +eu\/a +\S+ +-$/),
		'No room for TAINT-IN, TAINT-AT, QUEUE: -o wide shows all columns.',
		'',
	]);
	const titles = /^NAME.*$/m.exec(table.rows([silent], now))?.[0].split(/ +/);
	expect(titles).toEqual(['NAME', 'VERDICT', 'ZONE', 'HEARTBEAT', 'UNKNOWN-IN', 'TAINT-IN']);
});

test('on a narrow terminal the next states of a zone are told as far as they stop evictions, or resume them', () => {
	const zone = aZoneForecast({
		...{state: 'FullDisruption', rate: 0, nextTaint: null, queue: ['a1', 'a2']},
		toNextState: [
			{state: 'PartialDisruption', rate: 0, nodesBack: 1},
			{state: 'Normal', rate: 0.1, nodesBack: 2},
		],
	});
	const table = new Table(zones, {...narrow, width: 80});
	expect(table.rows([zone], now)).toMatch(/^eu\/a +Full +.* +never +2 nodes +2 back: resume$/m);
	const stopped = {kind: 'AllZonesDown' as const, by: 'every zone is down', since: null, releasedBy: ''};
	const coming = {isSure: true, steps: [{state: 'FullDisruption' as const, rate: 0, at: inSeconds(39, 43)}]};
	const isComing = {...zone, rate: 0.1, coming};
	expect(new Table(zones, {...narrow, width: 80}).rows([isComing], now)).toMatch(
		/ in 39s-43s: stop; 1 back: others evict; 2 back: resume$/m,
	);
	// At an eviction rate of 0 other zones may be well.
	const toNextState = [{state: 'Normal' as const, rate: 0, nodesBack: 1}];
	expect(new Table(zones, {...narrow, width: 80}).rows([{...zone, toNextState, coming}], now)).not.toContain(
		'others evict',
	);
	const others = new Table(zones, {...narrow, width: 80});
	expect(others.rows([{...zone, stopped}], now)).toMatch(/ +1 back: others evict; 2 back: resume$/m);
	const control = aZoneForecast({toNextState: [{state: 'FullDisruption', rate: 0.1, nodesDown: 1}]});
	expect(new Table(zones, {...narrow, width: 80}).rows([control], now)).toMatch(
		/ +1 more down: go on at 0\.1\/s$/m,
	);
});

test('in the pass that stops a zone its pods are not held yet, and no table says that they are', () => {
	const stopped = {
		kind: 'AllZonesDown' as const,
		by: 'every zone is about to be down',
		since: null,
		releasedBy: '',
	};
	const zone = aZoneForecast({state: 'FullDisruption', rate: 0, nextTaint: null});
	const row = (isToCome: boolean) =>
		new Table(zones, narrow).rows([{...zone, stopped: {...stopped, isToCome}}], now).split('\n')[1];
	expect(row(true)).toMatch(/ stopping +unsure /);
	expect(row(false)).toMatch(/ stopped +never /);
});

test('a watch keeps the columns of its first rows as long as later ones fit', () => {
	const table = new Table(pods, {...narrow, width: 80});
	const items = [aPodForecast({name: 'session-cache-nn9fzmtqj-dtcx5', eviction: inSeconds(250, 302)})];
	const first = table.rows(items, now).split('\n')[1];
	expect(table.rows(items, now)).toBe(`${first}\n`);
	expect(table.goneRows(items, now).trim().split(/ +/)).toHaveLength(6);
	const begun = new Table(pods, {...narrow, width: 80});
	expect(begun.goneRows(items, now).split('\n')[0]?.split(/ +/)).toHaveLength(6);
	expect(begun.rows(items, now)).toBe(`${first}\n`);
});

test('a table that is wider than its screen has a record for each item', () => {
	const rows = [
		['payments', 'deployment/gateway', '4/4', '3 in 1m29s-1m30s', '-'],
		['shop', 'statefulset/cart', '2/3', '2', 'web would forbid 1'],
	];
	const named = ['NAMESPACE', 'WORKLOAD', 'READY', 'LOWEST BEFORE', 'BUDGET'];
	const columns = named.map((title, index) => ({title, cell: (row: readonly string[]) => row[index] ?? ''}));
	const shown = (recordWidth: number, some = columns) =>
		new Table({columns: some}, {...narrow, recordWidth}).rows(rows, now);
	expect(shown(92)).toContain('NAMESPACE   WORKLOAD             READY   LOWEST BEFORE      BUDGET\n');
	expect(shown(60)).toBe(
		[
			'payments/deployment/gateway\n  READY 4/4   LOWEST BEFORE 3 in 1m29s-1m30s\n',
			'shop/statefulset/cart\n  READY 2/3   LOWEST BEFORE 2   BUDGET web would forbid 1\n',
		].join(''),
	);
	expect(shown(10, columns.slice(1, 3))).toContain('WORKLOAD statefulset/cart\n  READY 2/3\n');
});
