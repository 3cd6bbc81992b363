import {expect, test} from 'vitest';
import type {Lease} from '../../src/core/model/lease.ts';
import type {ConditionStatus, Node} from '../../src/core/model/node.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Taint} from '../../src/core/model/taint.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {FirstLook} from '../../src/forecast/firstLook.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {feed} from '../support/feed.ts';

const now = Date.UTC(2026, 0, 31, 14);
const second = 1000;

const node = (name: string, status: ConditionStatus = 'True', taints: readonly Taint[] = []): Observation => {
	const since = now - 3600 * second;
	const ready = {type: 'Ready', status, lastHeartbeatTime: now - 60 * second, lastTransitionTime: since};
	const fields: Node = {
		name,
		uid: name,
		createdAt: since,
		labels: {},
		unschedulable: false,
		taints,
		conditions: [ready],
	};
	return {type: 'nodeApplied', node: fields};
};

const renewed = (name: string, ago: number): Observation => {
	const lease: Lease = {namespace: 'kube-node-lease', name, renewTime: now - ago * second};
	return {type: 'leaseApplied', lease};
};

/** The scope of a first list, which is the same after it is stored. */
function wanted(...observations: readonly Observation[]): readonly string[] {
	const first = new FirstLook(observations, now, defaultSettings).podScope;
	const forecaster = new Forecaster(defaultSettings);
	feed(forecaster, observations, now, {type: 'firstLook'});
	expect(forecaster.podScope(now)).toEqual(first);
	return first;
}

const well = [node('well'), renewed('well', 3)];
const maintenance: Taint = {key: 'maintenance', value: '', effect: 'NoExecute'};
const cordon: Taint = {key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule'};

test.for<{name: string; observations: readonly Observation[]; want: readonly string[]}>([
	{name: 'none of nodes that are well', observations: well, want: []},
	{name: 'a node that is silent', observations: [...well, node('n1'), renewed('n1', 21)], want: ['n1']},
	{
		name: 'a node that says it is not ready',
		observations: [...well, node('n1', 'False'), renewed('n1', 1)],
		want: ['n1'],
	},
	{
		name: 'a node with a NoExecute taint',
		observations: [...well, node('n1', 'True', [maintenance]), renewed('n1', 1)],
		want: ['n1'],
	},
	{
		name: 'none of a node that is only cordoned',
		observations: [...well, node('n1', 'True', [cordon]), renewed('n1', 1)],
		want: [],
	},
	{name: 'a node that is late alone', observations: [...well, node('n1'), renewed('n1', 12)], want: ['n1']},
	{
		name: 'a node that is late while another is silent',
		observations: [...well, node('n1'), renewed('n1', 12), node('n2'), renewed('n2', 21)],
		want: ['n2', 'n1'],
	},
	{
		name: 'a node that is gone and left its lease',
		observations: [...well, renewed('gone', 5)],
		want: ['gone'],
	},
])('wanted are the pods of $name', ({observations, want}) => {
	expect(wanted(...observations)).toEqual(want);
});

test('a node that is deleted is wanted until it is back', () => {
	const finder = new Forecaster(defaultSettings);
	feed(finder, well, now);
	feed(
		finder,
		[
			{type: 'nodeDeleted', name: 'well'},
			{type: 'leaseDeleted', namespace: 'kube-node-lease', name: 'well'},
		],
		now,
	);
	expect(finder.podScope(now)).toEqual(['well']);
	feed(finder, well, now + second);
	expect(finder.podScope(now + second)).toEqual([]);
});

test('nodes that are deleted do not stay wanted for ever', () => {
	const finder = new Forecaster(defaultSettings);
	feed(finder, well, now);
	for (let index = 0; index < 30; index += 1) {
		const name = `n${index}`;
		const at = now + index * 300 * second;
		feed(finder, [node(name), renewed(name, -index * 300)], at);
		feed(finder, [{type: 'nodeDeleted', name}], at + second);
		feed(finder, [{type: 'leaseDeleted', namespace: 'kube-node-lease', name}], at + second);
	}
	const end = now + 29 * 300 * second + 2 * second;
	feed(finder, [renewed('well', (now - end) / second)], end);
	expect(finder.podScope(end)).toEqual(['n28', 'n29']);
});

test('a node that falls silent while it is watched is wanted from then on', () => {
	const finder = new Forecaster(defaultSettings);
	feed(finder, well, now);
	expect(finder.podScope(now + 10 * second)).toEqual([]);
	// Without newer observations, silence is not proven.
	expect(finder.podScope(now + 25 * second)).toEqual([]);
	feed(finder, [node('other'), renewed('other', -25)], now + 25 * second);
	expect(finder.podScope(now + 25 * second)).toEqual(['well']);
});
