import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {evictionsBefore, pastEvictions} from '../../../src/forecast/ledger/observedDeletion.ts';
import {aPod} from '../../support/builders.ts';

const hour = 60 * minute;
const now = 10 * hour;
const evicted = (name: string, evictedAt: number, deletionTimestamp?: number) =>
	aPod(name, {nodeName: 'n1', evictedAt, ...(deletionTimestamp !== undefined && {deletionTimestamp})});

test('a terminating pod tells of its eviction if no event does', () => {
	const at = now - 5 * minute;
	const pod = evicted('web', at, at + 30 * second);
	const pods = [
		pod,
		evicted('tried', at),
		evicted('old', now - 2 * hour, now - 2 * hour + 30 * second),
		aPod('by-user', {deletionTimestamp: at}),
	];
	expect(pastEvictions([], pods, now)).toMatchObject([{name: 'web', node: 'n1', at, isEviction: true}]);
	const time = {at: at + 200, precision: 0};
	const event = {namespace: pod.namespace, name: 'web.1', reason: 'MarkingForDeletion' as const};
	const told = {...event, about: `${pod.namespace}/web`, first: time, last: time, createdAt: at};
	expect(pastEvictions([told], pods, now)).toMatchObject([{name: 'web', node: 'n1', at: at + 200}]);
	// A later pod of its name may run elsewhere.
	const later = aPod('web', {nodeName: 'n2', createdAt: at + second});
	expect(pastEvictions([told], [later], now)).toMatchObject([{name: 'web', node: ''}]);
});

test('pods that kubelets and others ended tell of that too, also without a time, and once', () => {
	const at = now - 5 * minute;
	const failed = {nodeName: 'n1', phase: 'Failed', createdAt: now - 10 * minute};
	const byKubelet = {...failed, disruptedBy: 'TerminationByKubelet'} as const;
	const drained = {disruptedBy: 'EvictionByEvictionAPI', disruptedAt: at} as const;
	const pods = [
		aPod('dated', {...byKubelet, disruptedAt: at}),
		aPod('undated', byKubelet),
		aPod('older', {...byKubelet, createdAt: now - 2 * hour}),
		aPod('lately', {...byKubelet, createdAt: now - 2 * hour, readyChangedAt: at}),
		aPod('shut-down', {...failed, isShutDown: true}),
		aPod('drained', {...drained, deletionTimestamp: at + 30 * second}),
		aPod('announced', drained),
		aPod('device', {deviceEvictedAt: at, deletionTimestamp: at + 30 * second}),
		aPod('failed', failed),
	];
	const reports = [
		{
			node: 'n1',
			reason: 'Evicted',
			at: at - second,
			message: '',
			pod: `${pods[0]?.namespace}/dated`,
			uid: 'uid-of-dated',
		},
	];
	const told = evictionsBefore({pods, observedAt: now}, reports);
	expect(told.map(({name, actor, isUndated = false}) => `${name} ${actor?.kind} ${isUndated}`)).toEqual([
		'dated Kubelet false',
		'drained EvictionAPI false',
		'device DeviceTaintEviction false',
		'undated Kubelet true',
		'lately Kubelet true',
		'shut-down Kubelet true',
	]);
});
