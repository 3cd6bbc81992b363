import {expect, test} from 'vitest';
import type {Observation} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {aCondition, aLease, aNode, aPod, inZone} from '../support/builders.ts';
import {feed} from '../support/feed.ts';

// The forecasts for pods of healthy nodes are reused.

const now = 100 * second;
const names = ['n1', 'n2', 'n3'];
const leasesAt = (at: number): readonly Observation[] =>
	names.map((name) => ({type: 'leaseApplied', lease: aLease(name, at)}));
const nodes = names.map((name) => aNode(name, {labels: inZone('a')}));
const pods = names.map((nodeName) => aPod(`pod-${nodeName}`, {nodeName}));

function watcher(): Forecaster {
	const forecaster = new Forecaster(defaultSettings);
	feed(
		forecaster,
		[
			...nodes.map((node): Observation => ({type: 'nodeApplied', node})),
			...leasesAt(now),
			...pods.map((pod): Observation => ({type: 'podApplied', pod})),
		],
		now,
		{type: 'firstLook'},
	);
	return forecaster;
}

const at = now + 10 * second;

test('they are the same objects for as long as nothing changes', () => {
	const forecaster = watcher();
	const before = forecaster.forecast(now + second);
	feed(forecaster, leasesAt(at), at);
	const after = forecaster.forecast(at + second);
	expect(after.nodes[0]?.lastRenewal).not.toBe(before.nodes[0]?.lastRenewal);
	after.pods.forEach((pod, index) => {
		expect(pod).toBe(before.pods[index]);
	});
});

test.for<{name: string; changes: readonly Observation[]}>([
	{
		name: 'its node is in another zone',
		changes: [{type: 'nodeApplied', node: aNode('n1', {labels: inZone('b')})}],
	},
	{
		name: 'its deletion is asked for',
		changes: [{type: 'podApplied', pod: aPod('pod-n1', {nodeName: 'n1', deletionTimestamp: at})}],
	},
	{
		name: 'it goes, and another comes',
		changes: [
			{type: 'podDeleted', namespace: 'shop', name: 'pod-n1'},
			{type: 'podApplied', pod: aPod('other', {nodeName: 'n1'})},
		],
	},
	{
		name: 'its node is not ready',
		changes: [
			{
				type: 'nodeApplied',
				node: aNode('n1', {
					labels: inZone('a'),
					conditions: [aCondition('Ready', 'False', {lastTransitionTime: at})],
				}),
			},
		],
	},
	{name: 'its node is gone', changes: [{type: 'nodeDeleted', name: 'n1'}]},
])('$name: it is foretold as by one who has foretold nothing yet', ({changes}) => {
	const [old, fresh] = [watcher(), watcher()];
	const before = old.forecast(now + second);
	for (const forecaster of [old, fresh]) feed(forecaster, [...leasesAt(at), ...changes], at);
	const after = old.forecast(at + second);
	expect(after).toEqual(fresh.forecast(at + second));
	expect(after.pods).not.toEqual(before.pods);
});

test('a forecast may end with the first pod that is enough; the next one has all again', () => {
	const forecaster = watcher();
	const names = (isEnough?: (pod: PodForecast) => boolean) =>
		forecaster.forecast(now + second, isEnough).pods.map(({name}) => name);
	expect(names(({node}) => node === 'n2')).toEqual(['pod-n1', 'pod-n2']);
	expect(names()).toEqual(['pod-n1', 'pod-n2', 'pod-n3']);
});
