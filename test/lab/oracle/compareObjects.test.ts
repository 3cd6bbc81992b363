import {expect, test} from 'vitest';
import {firstObjectDifference, known} from './compareObjects.ts';

const noSchedule = {key: 'unreachable', effect: 'NoSchedule', timeAdded: '2000-01-01T00:00:10Z'};
const noExecute = {key: 'unreachable', effect: 'NoExecute', timeAdded: '2000-01-01T00:00:10Z'};

test('times may be apart by the tolerance and the second that the API cuts off', () => {
	const at = (timeAdded: string) => ({spec: {taints: [{...noSchedule, timeAdded}]}});
	const differs = (time: string) =>
		firstObjectDifference(at('2000-01-01T00:00:10Z'), at(time), 300) ?? 'nothing';
	expect(differs('2000-01-01T00:00:11Z')).toBe('nothing');
	expect(differs('2000-01-01T00:00:12Z')).toBe('.spec.taints[0].timeAdded');
});

test('of two taints of one instant either may come first, and may have been written last', () => {
	const a = {resourceVersion: '3', taints: [noSchedule, noExecute]};
	const b = {resourceVersion: '4', taints: [noExecute, noSchedule]};
	expect(firstObjectDifference(a, b, 300)).toBeUndefined();
	expect(firstObjectDifference(a, {...b, taints: [noExecute]}, 300)).toBe('.taints');
});

test('a watcher knows the last state of each object, and how often it changed', () => {
	const modified = (at: number, ready: string) =>
		({at, type: 'MODIFIED', kind: 'Node', object: {metadata: {name: 'a'}, ready}}) as const;
	const once = known([modified(1, 'Unknown')]);
	const twice = known([modified(1, 'True'), modified(2, 'Unknown')]);
	expect(firstObjectDifference(once, known([modified(5, 'Unknown')]), 300)).toBeUndefined();
	expect(firstObjectDifference(once, twice, 300)).toBe('.Node  a.times');
});
