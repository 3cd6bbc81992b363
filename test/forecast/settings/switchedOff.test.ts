import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';

const now = 60 * minute;

const time = {at: now - minute, precision: 0};
const tried: ClusterEvent = {
	...{namespace: 'default', name: 'due-1.1', reason: 'MarkingForDeletion', about: 'shop/due-1'},
	...{first: time, last: time, createdAt: now - minute},
};

/** n1 renewed last 40 s ago, n2 has a user's taint, n3 is healthy. */
function forecast(settings: Partial<ControllerSettings>, leaderRenewTime = now - 2 * second) {
	const gpu = aTaint('gpu', {timeAdded: now - minute});
	const tolerations = [tolerates('gpu', 300), tolerates('node.kubernetes.io/unreachable', 300)];
	const forecaster = aForecaster(settings, {
		observedAt: now,
		kubernetesVersion: 'v1.36.3',
		nodes: [aNode('n1'), aNode('n2', {taints: [gpu]}), aNode('n3')],
		leases: [
			aLease('n1', now - 40 * second),
			aLease('n2', now - second),
			aLease('n3', now - second),
			aLeader(leaderRenewTime, 0),
		],
		pods: ['n1', 'n2', 'n3'].map((nodeName) => aPod(`on-${nodeName}`, {nodeName, tolerations})),
	});
	const {pods, nodes} = forecaster.forecast(now);
	const lost = forecaster.whatIf([{type: 'nodeDown', node: 'n3', at: now}], now).pods;
	return {
		lost: lost.flatMap(({after}) => (after.name === 'on-n3' ? [after.verdict, ...after.because] : [])),
		verdicts: pods.map(({name, verdict}) => `${name} ${verdict}`),
		n1: nodes.find(({name}) => name === 'n1'),
	};
}

test('without the node lifecycle controller, only taints that somebody else gave evict', () => {
	expect(forecast({}).verdicts).toEqual(['on-n1 Expected', 'on-n2 Scheduled', 'on-n3 Safe']);
	const {verdicts, n1} = forecast({nodeLifecycle: false});
	expect(verdicts).toEqual(['on-n1 Stays', 'on-n2 Scheduled', 'on-n3 Safe']);
	expect(n1).toMatchObject({verdict: 'Silent', unknown: null, noExecute: null});
});

test('nothing holds the pods of a node that is lost while nothing would evict them: they stay', () => {
	const switchedOff = 'controller is switched off';
	expect(forecast({nodeLifecycle: false}).lost).toEqual(['Stays', `the node lifecycle ${switchedOff}`]);
	expect(forecast({taintEviction: false}).lost).toEqual(['Stays', `the taint-eviction ${switchedOff}`]);
});

test('without leader election, a lease that nobody renews holds nothing up', () => {
	const longAgo = now - 10 * minute;
	expect(forecast({}, longAgo).verdicts).toEqual(['on-n1 Held', 'on-n2 Held', 'on-n3 Safe']);
	expect(forecast({leaderElection: false}, longAgo).verdicts).toEqual([
		'on-n1 Expected',
		'on-n2 Scheduled',
		'on-n3 Safe',
	]);
});

test.for<{
	name: string;
	fields: Partial<Pod>;
	events: readonly ClusterEvent[];
	isMissing: boolean;
	ago?: number;
	settings?: Partial<ControllerSettings>;
}>([
	{name: 'nothing shows that they were tried', fields: {}, events: [], isMissing: true},
	{name: 'they are due for 15 s only', fields: {}, events: [], isMissing: false, ago: 315},
	{
		...{name: 'their release marks none', fields: {}, events: [], isMissing: false},
		settings: {podDisruptionConditions: false},
	},
	{name: 'one was marked', fields: {evictedAt: now - minute}, events: [], isMissing: false},
	{name: 'an event tells of a try', fields: {}, events: [tried], isMissing: false},
])(
	'where due pods stay, and $name, further ones may stay as well',
	({fields, events, isMissing, ago = 400, settings = {}}) => {
		const tainted = (name: string, ago: number) =>
			aNode(name, {taints: [aTaint('gpu', {timeAdded: now - ago * second})]});
		const pod = (name: string, nodeName: string) =>
			aPod(name, {nodeName, tolerations: [tolerates('gpu', 300)]});
		const forecaster = aForecaster(settings, {
			observedAt: now,
			kubernetesVersion: 'v1.36.3',
			nodes: [tainted('n1', ago), tainted('n2', 100), aNode('n3')],
			leases: [...['n1', 'n2', 'n3'].map((name) => aLease(name, now - second)), aLeader(now - second, 0)],
			pods: [{...pod('due-1', 'n1'), ...fields}, pod('due-2', 'n1'), pod('next', 'n2')],
			events,
		});
		const {pods, problems} = forecaster.forecast(now);
		expect(pods.map(({verdict}) => verdict)).toEqual([
			'Overdue',
			'Overdue',
			isMissing ? 'Unsure' : 'Scheduled',
		]);
		const next = pods.find(({name}) => name === 'next');
		expect(next?.eviction?.latest === null).toBe(isMissing);
		expect(
			next?.because.some((one) => one.includes('the taint-eviction controller may be switched off')),
		).toBe(isMissing);
		expect(problems.map(({reason}) => reason)).toEqual(isMissing ? ['TaintEvictionMissing'] : []);
	},
);
