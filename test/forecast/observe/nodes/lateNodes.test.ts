import {expect, test} from 'vitest';
import {taintUnreachable} from '../../../../src/core/model/taint.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {type Duration, type Instant, minute, second} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';
import {isOnlyLate} from '../../../../src/forecast/observe/nodes/nodeLiveness.ts';
import {aForecaster} from '../../../support/aForecaster.ts';
import {aCondition, aLease, aNode} from '../../../support/builders.ts';
import {ClientView} from '../../../support/clientView.ts';
import {fedEvidence} from '../../../support/evidence.ts';
import {feed} from '../../../support/feed.ts';
import type {Scenario} from '../../../support/scenario/scenario.ts';
import {settingsOf} from '../../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../../support/scenario/scenarioPlayer.ts';
import {defaultConfig} from '../../../support/scenarios.ts';

const defaults = settingsFor('v1.36.3');

/** Node a renews last at 60.2 s; one pod tolerates its taint for 20 s, the others not at all and forever. */
const dies: Scenario = {
	name: 'a node dies',
	config: defaultConfig,
	monitorPassDuration: 0.001,
	leaseRenewInterval: 10,
	nodeStatusReportInterval: 300,
	nodes: ['a', 'b', 'c'].map((name) => ({name, createdAt: -3600, leasePhase: 0.2})),
	pods: [
		{
			...{name: 'brief', node: 'a'},
			tolerations: [{key: taintUnreachable, operator: 'Exists', tolerationSeconds: 20}],
		},
		{name: 'fragile', node: 'a'},
		{name: 'patient', node: 'a', tolerations: [{operator: 'Exists'}]},
	],
	steps: [{at: 61, do: 'stop-kubelet', node: 'a'}],
	until: 200,
};

test.for([71.2, 75, 80.1])('a node whose renewal is overdue is Late at %d s, and its pods may go', (at) => {
	const player = new ScenarioPlayer(dies, defaults);
	const settings = settingsOf(dies.config, defaults);
	const view = new ClientView(player.simulation);
	player.advanceTo(30 * second);
	const warm = aForecaster(settings, view.list());
	view.watch();
	for (let now = 30 * second; now < at * second; now += 50) {
		player.advanceTo(now);
		feed(warm, view.watch(), now);
	}
	player.advanceTo(at * second);
	const cold = aForecaster(settings, view.list());
	const forecasts = [warm, cold].map((forecaster) => forecaster.forecast(at * second));
	const truth = new Map(
		player
			.advanceTo(200 * second)
			.flatMap(({at, effect}) => (effect.type === 'podDeleted' ? [[effect.pod, at] as const] : [])),
	);
	expect([...truth.keys()].toSorted()).toEqual(['default/brief', 'default/fragile']);
	for (const {pods, nodes} of forecasts) {
		const a = nodes.find(({name}) => name === 'a');
		expect(a?.verdict).toBe('Late');
		expect(a?.unknown?.latest).toBeNull();
		for (const {name, verdict, eviction} of pods) {
			const deletedAt = truth.get(`default/${name}`);
			expect([name, verdict]).toEqual([name, deletedAt === undefined ? 'Safe' : 'Unsure']);
			if (deletedAt === undefined) continue;
			expect(eviction?.earliest).toBeLessThanOrEqual(deletedAt);
			expect(eviction?.earliest).toBeGreaterThan(deletedAt - 8 * second);
			expect(eviction?.latest).toBeNull();
		}
	}
});

const nodes = Array.from({length: 30}, (_, index) => `n${index}`);

/** How often healthy nodes become Late in an hour, with this latency of renewals. */
function flipsInAnHour(latency: (random: Random) => Duration): number {
	const random = new Random(1);
	const {evidence, list, observe} = fedEvidence(defaults);
	const began: Instant = 100 * minute;
	const next = new Map(nodes.map((name) => [name, began + random.next() * 10 * second]));
	list({
		observedAt: began,
		source: 'cluster',
		nodes: nodes.map((name) => aNode(name)),
		pods: [],
		leases: nodes.map((name) => aLease(name, (next.get(name) ?? 0) - 10 * second)),
		problems: [],
	});
	let late = new Set<string>();
	let flips = 0;
	for (let now = began; now < began + 60 * minute; now += second / 2) {
		for (const [name, at] of next) {
			if (at > now) continue;
			observe([{type: 'leaseApplied', lease: aLease(name, at)}], at);
			// A kubelet adds up to 4 % to the interval, and waits for each call.
			next.set(name, at + 10 * second * (1 + 0.04 * random.next()) + latency(random));
		}
		const isLate = new Set(
			[...evidence.nodes.values()].flatMap((one) => (isOnlyLate(one, now) ? [one.node.name] : [])),
		);
		flips += [...isLate].filter((name) => !late.has(name)).length;
		late = isLate;
	}
	return flips;
}

test.for<{name: string; latency: (random: Random) => Duration; most: number}>([
	{name: 'answers at once', latency: (random) => 40 * random.next(), most: 0},
	{name: 'is slow now and then', latency: (random) => (random.next() < 0.01 ? 800 : 40), most: 20},
	{name: 'is slow all the time', latency: (random) => 1500 * random.next(), most: 30},
])('nodes that are well hardly ever turn Late where the API server $name', ({latency, most}) => {
	expect(flipsInAnHour(latency)).toBeLessThanOrEqual(most);
});

test('a renewal that the API server held up tells nothing of the rhythm of its node', () => {
	const {evidence, list, observe} = fedEvidence(defaults);
	const began: Instant = 100 * minute;
	list({
		observedAt: began,
		source: 'cluster',
		nodes: [aNode('a')],
		pods: [],
		leases: [aLease('a', began)],
		problems: [],
	});
	const renew = (sent: Duration, arrived: Duration) =>
		observe([{type: 'leaseApplied', lease: aLease('a', began + sent)}], began + arrived);
	renew(10 * second, 10 * second);
	// The kubelet waits for the response, and sends the next renewal an interval after it.
	renew(20 * second, 28 * second);
	renew(38 * second, 38 * second);
	const isLateAt = (after: Duration) => {
		const one = evidence.nodes.get('a');
		return one !== undefined && isOnlyLate(one, began + after);
	};
	expect(isLateAt(48 * second)).toBe(false);
	expect(isLateAt(49 * second)).toBe(true);
});

test.for([
	{name: 'others have leases', leases: ['b'], createdAt: 0, nodeLease: true, isLate: true},
	{name: 'no node has a lease', leases: [], createdAt: 0, nodeLease: true, isLate: false},
	{
		name: 'the node has just been created',
		leases: ['b'],
		createdAt: 95 * second,
		nodeLease: true,
		isLate: false,
	},
	{name: 'the controllers read no leases', leases: ['b'], createdAt: 0, nodeLease: false, isLate: false},
])(
	'a node without a lease that has just posted its status is Late: $isLate where $name',
	({leases, createdAt, nodeLease, isLate}) => {
		const now = 100 * second;
		const {evidence, list, observe} = fedEvidence({...defaults, nodeLease});
		list({
			observedAt: now,
			source: 'cluster',
			nodes: ['a', 'b'].map((name) =>
				aNode(name, {createdAt, conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: 97 * second})]}),
			),
			pods: [],
			leases: leases.map((name) => aLease(name, 95 * second)),
			problems: [],
		});
		const isLateAt = (at: Instant) => {
			const one = evidence.nodes.get('a');
			return one !== undefined && isOnlyLate(one, at);
		};
		expect(isLateAt(now)).toBe(isLate);
		observe([{type: 'leaseApplied', lease: aLease('a', now + second)}], now + second);
		expect(isLateAt(now + 2 * second)).toBe(false);
	},
);
