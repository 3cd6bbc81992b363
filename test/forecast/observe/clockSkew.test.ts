import {expect, test} from 'vitest';
import type {Lease} from '../../../src/core/model/lease.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {clockProblems, skewWords} from '../../../src/forecast/observe/nodes/clockProblems.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode} from '../../support/builders.ts';
import {fedEvidence} from '../../support/evidence.ts';
import {feed} from '../../support/feed.ts';

const now = 600 * second;
const names = ['n1', 'n2', 'n3', 'n4'];

/** A lease that the API server stored at an instant, from a kubelet whose clock is wrong by `off`. */
const renewed = (name: string, at: number, off = 0): Lease => ({
	...aLease(name, at + off),
	writes: [{manager: 'kubelet', operation: 'Update', time: Math.floor(at / second) * second}],
});

function forecastOf(leases: readonly Lease[]) {
	const nodes = names.map((name) => aNode(name));
	const forecaster = aForecaster(settingsFor('v1.36.3'), {observedAt: now, source: 'file', nodes, leases});
	return {forecaster, ...forecaster.forecast(now)};
}

test.for([
	{off: 0, shown: now - 4500},
	{off: 2 * second, shown: now - 2500},
	{off: 3 * minute, shown: now - 5000},
	{off: -12 * second, shown: now - 5000},
])('a renewal by a clock that is off by $off ms is dated by its arrival', ({off, shown}) => {
	const leases = names.map((name) => renewed(name, now - 4500, name === 'n1' ? off : 0));
	const {nodes} = forecastOf(leases);
	expect(nodes.map(({lastRenewal}) => lastRenewal)).toEqual([shown, ...Array(3).fill(now - 4500)]);
});

test('of several writes of a lease the newest is its renewal, in whatever order they come', () => {
	const lease = renewed('n1', now - 4500);
	const older = {manager: 'kubectl', operation: 'Update', time: now - 5 * minute} as const;
	const inOrders = [
		[older, ...(lease.writes ?? [])],
		[...(lease.writes ?? []), older],
	];
	for (const writes of inOrders) {
		const {nodes, problems} = forecastOf([{...lease, writes}]);
		expect([nodes[0]?.lastRenewal, problems]).toEqual([now - 4500, []]);
	}
});

test('a watch that lags ever more makes no clock wrong, and hides none that is', () => {
	const {forecaster} = forecastOf(names.map((name) => renewed(name, now - 4500)));
	for (const at of [now + 10 * second, now + 20 * second]) {
		const lags = [2600, 2900, 3200, 3500];
		const leases = names.map((name, index) => aLease(name, at - (lags[index] ?? 0)));
		const batch = leases.map((lease) => ({type: 'leaseApplied', lease}) as const);
		feed(forecaster, batch, at);
		expect(forecaster.forecast(at + 5 * second).problems).toEqual([]);
	}
	feed(forecaster, [{type: 'leaseApplied', lease: aLease('n1', now + 90 * second)}], now + 30 * second);
	expect(forecaster.forecast(now + 35 * second).problems).toMatchObject([
		{message: expect.stringMatching(/^the clock of a kubelet is wrong: n1 \(1m0s ahead\);/)},
	]);
});

test('renewals that came some time within nine seconds make no clock wrong, if all differ alike', () => {
	const late = names.map((name) => ({
		node: {name},
		renewTime: now - 30 * second,
		renewedAt: {lo: now - 9 * second, hi: now},
	}));
	expect(clockProblems(late)).toEqual([]);
});

test('shortly after a gap no clock is called wrong: the watch may lag', () => {
	const {forecaster} = forecastOf(names.map((name) => renewed(name, now - 4500)));
	feed(forecaster, [], now + 20 * second, {type: 'watchLost', since: now});
	feed(forecaster, [], now + 25 * second, {type: 'watchLost', since: undefined});
	const lease = aLease('n1', now + 30 * second - minute);
	feed(forecaster, [{type: 'leaseApplied', lease}], now + 30 * second);
	expect(forecaster.forecast(now + 35 * second).problems).toEqual([]);
	feed(forecaster, [{type: 'leaseApplied', lease: aLease('n1', now + 5 * minute)}], now + 6 * minute);
	expect(forecaster.forecast(now + 6.1 * minute).problems[0]).toMatchObject({reason: 'ClockSkew'});
});

test('a watch dates it by when word of it came', () => {
	const {forecaster} = forecastOf(names.map((name) => renewed(name, now - 4500)));
	feed(forecaster, [{type: 'leaseApplied', lease: aLease('n1', now - minute)}], now + second);
	// While all nodes are healthy, a forecast is reused for a while.
	const {nodes, problems} = forecaster.forecast(now + 5 * second);
	expect(nodes[0]?.lastRenewal).toBe(now + second - 100);
	expect(problems).toMatchObject([
		{reason: 'ClockSkew', message: expect.stringContaining('n1 (1m1s behind)')},
	]);
});

test('ClockSkew names the nodes whose clocks are wrong, and explain says by how much', () => {
	const leases = names.map((name) => renewed(name, now - 4500, name === 'n2' ? 3 * minute : 0));
	const {problems, forecaster} = forecastOf(leases);
	expect(problems).toEqual([
		{
			reason: 'ClockSkew',
			message:
				'the clock of a kubelet is wrong: n2 (3m0s ahead); its renewals are dated by when they arrived',
		},
	]);
	const facts = forecaster.explain({kind: 'node', name: 'n2'}, now)?.steps.flatMap(({evidence}) => evidence);
	expect(facts?.map(({note}) => note).join()).toContain("the kubelet's clock is 3m0s ahead");
});

test('clocks that agree, or that all differ from one, are no problem of the kubelets', () => {
	const withSkew = (off: number) => forecastOf(names.map((name) => renewed(name, now - 4500, off))).problems;
	expect([withSkew(0), withSkew(2 * second), withSkew(minute)]).toEqual([[], [], []]);
});

test('what a kubelet dated long before its last renewal, a clock may have dated that was right then', () => {
	const off = 3 * minute;
	const changedAt = (ago: number, clockThen: number) => {
		const dated = now - ago + clockThen;
		const ready = aCondition('Ready', 'False', {lastTransitionTime: dated, lastHeartbeatTime: dated});
		const {evidence, list} = fedEvidence(settingsFor('v1.36.3'));
		const nodes = [aNode('n1', {conditions: [ready]})];
		const leases = [renewed('n1', now - 4500, off)];
		list({observedAt: now, source: 'file', nodes, pods: [], leases, problems: []});
		return evidence.nodes.get('n1')?.readyChangedAt;
	};
	const contains = (ago: number) => ({
		lo: expect.toSatisfy((lo: number) => lo <= now - ago),
		hi: expect.toSatisfy((hi: number) => hi >= now - ago),
	});
	expect(changedAt(4 * minute, 0)).toEqual(contains(4 * minute));
	expect(changedAt(4 * minute, off)).toEqual(contains(4 * minute));
	// A moment before it, the clock had not been set.
	expect(changedAt(6 * second, off)).toEqual({lo: now - 6500, hi: now - 4500});
});

test('how far a clock is off, in words', () => {
	expect([179_500, -12_000, 60_000].map(skewWords)).toEqual(['3m0s ahead', '12s behind', '1m0s ahead']);
});

/** Lets all nodes renew every 10 s from `now` on, n1 with its own clock and delay. */
function watched(ofFirst: (turn: number) => {readonly off: number; readonly delay: number}, turns: number) {
	const {forecaster} = forecastOf(names.map((name) => renewed(name, now - 4500)));
	const renewals = Array.from({length: turns}, (_, turn) => {
		const at = now + 5500 + turn * 10 * second;
		const {off, delay} = ofFirst(turn);
		return names.map((name) =>
			name === 'n1'
				? {arrivesAt: at + delay, lease: aLease(name, at + off)}
				: {arrivesAt: at, lease: aLease(name, at)},
		);
	});
	for (const {arrivesAt, lease} of renewals.flat().toSorted((a, b) => a.arrivesAt - b.arrivesAt))
		feed(forecaster, [{type: 'leaseApplied', lease}], arrivesAt);
	return forecaster;
}

test('a clock that is set back makes the controllers count no renewal: the node turns Unknown, and that does not slide', () => {
	// The last renewal that counts comes 15.5 s after `now`.
	const forecaster = watched((turn) => ({off: turn >= 2 ? -3 * minute : 0, delay: 0}), 6);
	const [n1] = forecaster.forecast(now + 57 * second).nodes;
	expect(n1?.verdict).toBe('Silent');
	expect(n1?.unknown?.earliest).toBeGreaterThan(now + 65 * second);
	expect(n1?.unknown?.latest).toBeLessThan(now + 77 * second);
	const {problems} = forecaster.forecast(now + 57 * second);
	expect(problems).toMatchObject([
		{reason: 'ClockSkew', message: expect.stringContaining('was set back: n1 (3m0s behind)')},
	]);
});

test('its renewals count again once a status heartbeat made the controllers forget the last', () => {
	const forecaster = watched((turn) => ({off: turn >= 2 ? -3 * minute : 0, delay: 0}), 4);
	const ready = aCondition('Ready', 'True', {lastHeartbeatTime: now + 40 * second});
	feed(forecaster, [{type: 'nodeApplied', node: aNode('n1', {conditions: [ready]})}], now + 40 * second);
	expect(forecaster.forecast(now + 42 * second).nodes[0]?.verdict).toBe('Healthy');
});

test('a renewal that an API server took late is no wrong clock of a kubelet', () => {
	const late = watched((turn) => ({off: 0, delay: turn === 1 ? 8 * second : 0}), 2);
	expect(late.forecast(now + 24 * second).problems).toEqual([]);
	const behind = watched((turn) => ({off: turn > 0 ? -8 * second : 0, delay: 0}), 3);
	expect(behind.forecast(now + 26 * second).problems).toMatchObject([
		{message: expect.stringContaining('n1 (8s behind)')},
	]);
});
