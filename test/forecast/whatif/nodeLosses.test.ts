import {expect, test} from 'vitest';
import {mapBy} from '../../../src/core/collections/mapBy.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import {nodeLosses, nodesToLose} from '../../../src/forecast/whatif/nodeLosses.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, inZone, tolerates} from '../../support/builders.ts';

const now = Date.parse('2026-01-31T14:00:00Z');
const unreachable = 'node.kubernetes.io/unreachable';
const forSeconds = (seconds: number) => [
	tolerates('node.kubernetes.io/not-ready', seconds),
	tolerates(unreachable, seconds),
];
const names = Array.from({length: 12}, (_, index) => `a-${index}`);

/** Twelve nodes that renewed at different times: with a pod each, the last two without one; one pod goes sooner. */
const forecaster = aForecaster(
	{},
	{
		observedAt: now,
		nodes: names.map((name) =>
			aNode(name, {
				labels: inZone('a'),
				conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: now - 60 * second})],
			}),
		),
		leases: names.map((name, index) => aLease(name, now - (index % 10) * second)),
		pods: names.flatMap((nodeName, index) => [
			aPod(`agent-${nodeName}`, {
				nodeName,
				tolerations: [{key: '', operator: 'Exists', value: '', effect: ''}],
				owner: {kind: 'DaemonSet', name: 'agent', uid: 'agent'},
			}),
			...(index < 10
				? [aPod(`pod-${nodeName}`, {nodeName, tolerations: forSeconds(index === 5 ? 30 : 300)})]
				: []),
		]),
	},
);
const {nodes, pods} = forecaster.forecast(now);

test('of nodes that are alike two are simulated, and the others go between them', () => {
	const asked: string[] = [];
	const ask = (changes: readonly Change[]) => {
		asked.push(...changes.flatMap((change) => (change.type === 'nodeDown' ? change.node : [])));
		return forecaster.whatIf(changes, now);
	};
	const losses = mapBy([...nodeLosses(nodesToLose(nodes), pods, now, ask)], ({node}) => node.name);
	expect([...losses.keys()].toSorted()).toEqual(names.toSorted());
	// Those that renewed last and first, the one with another pod, and the two without pods.
	expect(asked.toSorted()).toEqual(['a-0', 'a-10', 'a-11', 'a-5', 'a-9']);
	for (const name of names) {
		const told = losses.get(name)?.found;
		const simulated = forecaster.whatIf([{type: 'nodeDown', node: name, at: now}], now);
		expect(told?.changes).toEqual(simulated.changes);
		const outlooks = ({pods}: typeof simulated) =>
			pods
				.filter(({effect}) => effect !== 'unchanged')
				.map(({after, effect}) => [after.uid, after.verdict, effect]);
		expect(told && outlooks(told)).toEqual(outlooks(simulated));
		for (const {after} of simulated.pods) {
			const range = told?.pods.find((one) => one.after.uid === after.uid)?.after.eviction;
			if (after.eviction) expect(range?.covers(after.eviction)).toBe(true);
		}
	}
});
