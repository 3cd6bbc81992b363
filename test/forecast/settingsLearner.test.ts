import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Node} from '../../src/core/model/node.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {ResolvedSettings} from '../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {aCondition, aLeader, aLease, aNode} from '../support/builders.ts';
import {learningWatcher} from '../support/learningWatcher.ts';
import {type Outage, watchOutage} from './settings/watchedOutage.ts';

const hidden: SettingsEvidence = {
	flags: {},
	versionFlag: undefined,
	serverVersion: 'v1.36.3',
	controlPlane: unseenControlPlane('hidden'),
};

/** One node fails, and later another, in a cluster with hidden flags. */
const outage: Outage = {
	settings: {nodeMonitorGracePeriod: 90 * second},
	zones: {a: 3, b: 3},
	podsPerNode: 2,
	steps: [
		{at: 2 * minute, do: 'stop', nodes: ['a1']},
		{at: 6 * minute, do: 'stop', nodes: ['b1']},
	],
	until: 7 * minute,
};

function watch(evidence: Partial<SettingsEvidence> = {}) {
	const forecasts: Forecast[] = [];
	const predictor = learningWatcher({...hidden, ...evidence});
	watchOutage(outage, (observations, arrivedAt) => {
		predictor.observe(observations, arrivedAt);
		if (Math.round(arrivedAt) % (5 * second) === 0) forecasts.push(predictor.forecast(arrivedAt));
	});
	return {grace: graceIn(predictor.learner.resolved), last: forecasts.at(-1)};
}

const graceIn = ({list}: ResolvedSettings) => list.find(({name}) => name === 'node-monitor-grace-period');

const unknownOf = (forecast: Forecast | undefined, name: string) =>
	forecast?.nodes.find((node) => node.name === name)?.unknown;

test('what behaviour contradicts is replaced while watching, and the next node is foretold with it', () => {
	const {grace, last} = watch();
	expect(last?.problems).toMatchObject([
		{
			reason: 'DefaultsInDoubt',
			message: expect.stringContaining('node a1 turned Unknown 1m37s after its last sign of life'),
		},
	]);
	expect(grace?.value).toBe(90 * second);
	// b1 became silent before 6 min; with the default of 50 s it would be overdue by 7 min.
	const unknown = unknownOf(last, 'b1');
	expect(unknown?.expected).toBeGreaterThan(7 * minute);
	expect(unknown?.latest).toBeLessThan(7 * minute + 40 * second);
});

test('the last forecasts still know the pods and nodes of the whole cluster', () => {
	const {last} = watch();
	expect([last?.nodes.length, last?.pods.length]).toEqual([6, 12]);
});

test('a flag is kept against behaviour, and the contradiction is told', () => {
	const {last} = watch({flags: {nodeMonitorGracePeriod: 100 * second}});
	expect(last?.problems).toMatchObject([
		{message: expect.stringMatching(/used anyway, because the command line/)},
	]);
	expect(watch({flags: {nodeMonitorGracePeriod: 90 * second}}).last?.problems).toEqual([]);
});

test('a doubt ends ten minutes after it was last raised', () => {
	const began = 60 * minute;
	const {observe, forecast} = learningWatcher(hidden);
	const renewed = (at: number) => [aLease('n1', at), aLease('n2', at), aLeader(at, 0)];
	const nodes = ['n1', 'n2'].map((name) => ({type: 'nodeApplied', node: aNode(name)}) as const);
	const leases = [aLease('n1', began - 90 * second), aLease('n2', began), aLeader(began, 0)];
	observe([...nodes, ...leases.map((lease) => ({type: 'leaseApplied', lease}) as const)], began);
	const reasonsAt = (at: number) => forecast(at).problems.map(({reason}) => reason);
	expect(reasonsAt(began)).toContain('DefaultsInDoubt');
	for (let at = began + 5 * second; at <= began + 11 * minute; at += 5 * second) {
		observe(
			renewed(at).map((lease) => ({type: 'leaseApplied', lease}) as const),
			at,
		);
		const isInDoubt = reasonsAt(at).includes('DefaultsInDoubt');
		if (at <= began + 9 * minute) expect(isInDoubt).toBe(true);
		if (at >= began + 10.5 * minute) expect(isInDoubt).toBe(false);
	}
});

test('what was seen of a leader is kept while it leads, also when its node is back, and dropped with it', () => {
	const began = 60 * minute;
	const {observe, forecast, learner} = learningWatcher(hidden);
	const graceAt = (at: number) => {
		forecast(at);
		return graceIn(learner.resolved)?.source.kind;
	};
	const node = (status: 'True' | 'Unknown', lastTransitionTime: number) =>
		aNode('n1', {conditions: [aCondition('Ready', status, {lastTransitionTime})]});
	const see = (n1: Node, renewedAt: number, at: number, acquireTime = 0) =>
		observe(
			[
				...[n1, aNode('n2')].map((one) => ({type: 'nodeApplied', node: one}) as const),
				...[aLease('n1', renewedAt), aLease('n2', at), aLeader(at, acquireTime)].map(
					(lease) => ({type: 'leaseApplied', lease}) as const,
				),
			],
			at,
		);
	see(node('True', 0), began, began);
	see(node('Unknown', began + 34 * second), began, began + 34 * second);
	expect(graceAt(began + 35 * second)).toBe('learned');
	see(node('True', began + 50 * second), began + 50 * second, began + 50 * second);
	expect(graceAt(began + 70 * second)).toBe('learned');
	see(node('True', began + 50 * second), began + 80 * second, began + 80 * second, began + 75 * second);
	expect(graceAt(began + 85 * second)).toBe('profile');
});

test('the pace of a large zone that is partly down is seen from three taints, and holds for the next ones', () => {
	const down = Array.from({length: 40}, (_, index) => `a${index}`);
	const {observe, forecast, learner} = learningWatcher(hidden);
	const forecasts: Forecast[] = [];
	const taintedAt: number[] = [];
	watchOutage(
		{
			settings: {secondaryNodeEvictionRate: 0.05},
			zones: {a: 54, b: 3},
			podsPerNode: 1,
			steps: [{at: 2 * minute, do: 'stop', nodes: down}],
			until: 6 * minute,
		},
		(observations, arrivedAt) => {
			observe(observations, arrivedAt);
			for (const one of observations)
				if (one.type === 'nodeApplied' && one.node.taints.some(({effect}) => effect === 'NoExecute'))
					taintedAt.push(arrivedAt);
			if (Math.round(arrivedAt) % (20 * second) === 0) forecasts.push(forecast(arrivedAt));
		},
	);
	const rate = learner.resolved.list.find(({name}) => name === 'secondary-node-eviction-rate');
	expect(rate).toMatchObject({value: 0.05, source: {kind: 'learned'}});
	expect(rate?.source.detail).toMatch(/tainted \d+ waiting nodes 20s apart/);
	const last = forecasts.at(-2)?.zones.find(({zone}) => zone.endsWith('/a'));
	expect(last?.rate).toBe(0.05);
	const next = taintedAt.find((at) => at > (forecasts.at(-2)?.observedAt ?? 0));
	expect(next).toBeGreaterThanOrEqual((last?.taints[0]?.earliest ?? 0) - second);
	expect(next).toBeLessThanOrEqual((last?.taints[0]?.latest ?? 0) + second);
	expect(last?.taints[0]?.latest).toBeLessThan((forecasts.at(-2)?.observedAt ?? 0) + 30 * second);
});
