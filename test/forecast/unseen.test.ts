import {expect, test} from 'vitest';
import type {Observation} from '../../src/core/model/observation.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../support/builders.ts';
import {feed} from '../support/feed.ts';

// Forecasts while the API server is frozen, and after it: a pod's countdown runs, and everything else is healthy.

const frozenAt = 10 * minute;
const names = ['n1', 'n2', 'n3', 'n4', 'n5'];
const unready = [aCondition('Ready', 'Unknown', {lastTransitionTime: frozenAt - 30 * second})];
const taint = aTaint('node.kubernetes.io/unreachable', {timeAdded: frozenAt - 30 * second});
const first: readonly Observation[] = [
	...names.map((name): Observation => {
		const fields = name === 'n1' ? {conditions: unready, taints: [taint]} : {};
		return {type: 'nodeApplied', node: aNode(name, {labels: inZone('a'), ...fields})};
	}),
	{type: 'podApplied', pod: aPod('cart', {tolerations: [tolerates(taint.key, 120)]})},
];

const leader = (renewTime: number): Observation => ({
	type: 'leaseApplied',
	lease: aLeader(renewTime, minute),
});
const renewed = (name: string, at: number): Observation => ({type: 'leaseApplied', lease: aLease(name, at)});

/** Watches until the freeze: the nodes renew every ten seconds, the leader every two. */
function watched(): Forecaster {
	const forecaster = new Forecaster(settingsFor('v1.36.3'));
	const start = frozenAt - 20 * second;
	const alive = names.filter((name) => name !== 'n1');
	const opening = [...first, ...alive.map((name) => renewed(name, start)), leader(start)];
	feed(forecaster, opening, start, {type: 'confirmed'});
	for (let at = start; at <= frozenAt; at += 2 * second) feed(forecaster, [leader(at)], at);
	for (const [index, name] of alive.entries()) {
		const at = frozenAt - 10 * second + index * second;
		feed(forecaster, [renewed(name, at)], at);
	}
	return forecaster;
}

/** A forecast without the times that depend on now. */
function saidAt(forecaster: Forecaster, now: number) {
	const {nodes, pods} = forecaster.forecast(now);
	return {
		nodes: nodes.map(({name, verdict}) => `${name} ${verdict}`),
		pods: pods.map(({name, verdict, eviction}) => ({name, verdict, eviction})),
	};
}

const well = ['n1 Tainted', 'n2 Healthy', 'n3 Healthy', 'n4 Healthy', 'n5 Healthy'];

test.for([35 * second, 5 * minute])(
	'through a freeze of %s ms nothing else is said than before it',
	(length) => {
		const forecaster = watched();
		const before = saidAt(forecaster, frozenAt);
		expect(before.nodes).toEqual(well);
		expect(before.pods).toMatchObject([{name: 'cart', verdict: 'Scheduled'}]);
		for (let at = frozenAt; at <= frozenAt + length; at += second) {
			if (at === frozenAt + 6 * second) feed(forecaster, [], at, {type: 'watchLost', since: frozenAt});
			expect(saidAt(forecaster, at)).toEqual(before);
			expect(forecaster.forecast(at).observedAt).toBe(frozenAt);
		}
	},
);

test('what one watch brings says nothing of those whose leases are not seen yet', () => {
	const forecaster = watched();
	feed(forecaster, [], frozenAt + 6 * second, {type: 'watchLost', since: frozenAt});
	const thawedAt = frozenAt + 5 * minute;
	const pod = aPod('cart', {
		tolerations: [tolerates(taint.key, 120)],
		deletionTimestamp: thawedAt + 30 * second,
	});
	feed(forecaster, [{type: 'podApplied', pod}], thawedAt, {type: 'late', since: frozenAt});
	const said = saidAt(forecaster, thawedAt + second);
	expect(said.nodes).toEqual(well);
	expect(said.pods).toMatchObject([{verdict: 'Terminating'}]);
	feed(forecaster, [], thawedAt + 2 * second, {type: 'watchLost', since: undefined});
	expect(saidAt(forecaster, thawedAt + 2 * second).nodes).toEqual(well);
});

test('a late renewal is not the last of its node while other late renewals may follow', () => {
	const forecaster = watched();
	feed(forecaster, [], frozenAt + 6 * second, {type: 'watchLost', since: frozenAt});
	const thawedAt = frozenAt + 5 * minute;
	const late = {type: 'late', since: frozenAt} as const;
	feed(forecaster, [{type: 'podApplied', pod: aPod('cart', {labels: {a: 'b'}})}], thawedAt, late);
	// The backlog arrives in parts, the oldest renewals first.
	for (const [part, renewTime] of [frozenAt + minute, frozenAt + 3 * minute].entries()) {
		const at = thawedAt + (part + 1) * 100;
		const renewals = names.filter((name) => name !== 'n1').map((name) => renewed(name, renewTime));
		feed(forecaster, renewals, at, late);
		expect(saidAt(forecaster, at).nodes).toEqual(well);
	}
});

test('a deletion that is not watched yet is no sign of a controller that is switched off', () => {
	const forecaster = watched();
	const pods = ['due-1', 'due-2', 'due-3'].map(
		(name): Observation => ({
			type: 'podApplied',
			pod: aPod(name, {nodeName: 'n1', tolerations: [tolerates(taint.key, 60)]}),
		}),
	);
	feed(forecaster, pods, frozenAt, {type: 'firstLook'});
	feed(forecaster, [], frozenAt + 6 * second, {type: 'watchLost', since: frozenAt});
	const thawedAt = frozenAt + 5 * minute;
	const node = aNode('n2', {labels: {...inZone('a'), other: 'yes'}});
	feed(forecaster, [leader(thawedAt)], thawedAt, {type: 'late', since: frozenAt});
	feed(forecaster, [{type: 'nodeApplied', node}], thawedAt, {type: 'late', since: frozenAt});
	const reasons = (at: number) => forecaster.forecast(at).problems.map(({reason}) => reason);
	expect(reasons(thawedAt)).not.toContain('TaintEvictionMissing');
	feed(forecaster, [], thawedAt + second, {type: 'watchLost', since: undefined});
	expect(reasons(thawedAt + second)).toContain('TaintEvictionMissing');
});

test('who does not renew once all is seen again is silent, and who does not lead is missed', () => {
	const forecaster = watched();
	const thawedAt = frozenAt + 5 * minute;
	feed(forecaster, [], frozenAt + 6 * second, {type: 'watchLost', since: frozenAt});
	feed(forecaster, [], thawedAt, {type: 'watchLost', since: undefined});
	for (let at = thawedAt; at <= thawedAt + 22 * second; at += 2 * second)
		feed(forecaster, [renewed('n2', at)], at);
	const said = saidAt(forecaster, thawedAt + 22 * second);
	expect(said.nodes).toEqual(['n1 Tainted', 'n2 Healthy', 'n3 Silent', 'n4 Silent', 'n5 Silent']);
	expect(said.pods).toMatchObject([{verdict: 'Held'}]);
});

test('in one look a controller manager is missing only where others have written since', () => {
	const forecast = (renewals: number) => {
		const forecaster = new Forecaster(settingsFor('v1.36.3'));
		const leases = names.map((name) => renewed(name, renewals));
		feed(forecaster, [...first, ...leases, leader(frozenAt - 35 * second)], frozenAt, {type: 'confirmed'});
		return forecaster.forecast(frozenAt).pods[0]?.verdict;
	};
	expect(forecast(frozenAt - 3 * second)).toBe('Held');
	expect(forecast(frozenAt - 36 * second)).not.toBe('Held');
});
