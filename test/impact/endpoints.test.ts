import {expect, test} from 'vitest';
import {decodeEndpoints, endpointsIn} from '../../src/cluster/workloads/decodeService.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';
import {aController, relatedTo} from './related.ts';

const labels = {app: 'web'};
const owner = {kind: 'ReplicaSet', name: 'web', uid: 'web'};
const web = (name: string, fields: Partial<PodForecast> = {}): PodForecast =>
	aPodForecast({name, uid: name, owner, labels, ready: 'True', ...fields});
const service = {namespace: 'shop', name: 'web', selector: labels, publishesNotReady: false};
const behind = (pod: string, isReady = true) => ({namespace: 'shop', service: 'web', pod, isReady});

const nodes = [
	aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(40, 50)}),
	aNodeForecast({name: 'n2', verdict: 'Silent', unknown: inSeconds(20, 60)}),
];
const pods = [
	web('web-a'),
	web('web-b', {node: 'n2'}),
	web('web-c', {ready: 'False', verdict: 'Scheduled', node: 'n3'}),
];
const impact = (
	fields: Partial<typeof service>,
	endpoints = ['a', 'b', 'other'].map((one) => behind(`web-${one}`)),
) =>
	workloadImpacts(
		aForecast({nodes, pods}),
		relatedTo([aController('web')], {services: [{...service, ...fields}], endpoints}),
	)[0]?.endpoints;

test('endpoints go when pods stop being ready, long before their eviction; some are lost already', () => {
	const endpoints = [behind('web-a'), behind('web-b'), behind('web-c', false), behind('web-other')];
	const {earliest, latest} = inSeconds(40, 60);
	expect(impact({}, endpoints)).toMatchObject([
		{service: 'web', readyNow: 3, alreadyLost: 1, lowest: {ready: 1, at: {earliest, latest}}},
	]);
});

test('a service that publishes what is not ready loses none by that, and one without slices is not guessed', () => {
	expect(impact({publishesNotReady: true})).toEqual([]);
	expect(impact({}, [])).toEqual([]);
});

test('slices are read: pods alone, each once, and what is not said is ready', () => {
	const slice = (addressType: string) => ({
		metadata: {namespace: 'shop', labels: {'kubernetes.io/service-name': 'web'}},
		addressType,
		endpoints: [
			{targetRef: {kind: 'Pod', name: 'web-a'}, conditions: {ready: false}},
			{targetRef: {kind: 'Pod', name: 'web-b'}, conditions: {}},
			{targetRef: {kind: 'Node', name: 'n1'}},
		],
	});
	const slices = [slice('IPv4'), slice('IPv6')].flatMap((one) => [decodeEndpoints(one) ?? []]);
	expect(endpointsIn(slices)).toEqual([behind('web-a', false), behind('web-b')]);
	expect(decodeEndpoints({metadata: {namespace: 'shop'}})).toBeUndefined();
});
