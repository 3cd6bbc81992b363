import {expect, test} from 'vitest';
import {taintOutOfService} from '../../../src/core/model/taint.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {type EndingScene, endingsOf, pressureEnding} from '../../../src/forecast/conclude/endings.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureForecast} from '../../../src/forecast/pressure/pressureForecast.ts';
import {aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aCondition, aNode, aTaint, tolerates} from '../../support/builders.ts';
import {aNodePod, memoryLeft, memoryStats} from '../../support/pressure.ts';

const dead = aNode('n1', {conditions: [aCondition('Ready', 'Unknown')]});
const scene = (fields: Partial<EndingScene> = {}): EndingScene => ({
	...{
		pod: {tolerations: []},
		node: dead,
		isSilent: false,
		unknown: null,
		pressure: undefined,
		now: inSeconds(0).earliest,
		settings: defaultSettings,
	},
	...fields,
});
const said = (pod: Partial<PodForecast>, fields?: Partial<EndingScene>) =>
	endingsOf(aPodForecast(pod), scene(fields)).map(({cause, needs, isForced}) =>
		[cause, needs, isForced ? 'forced' : 'asked'].filter(Boolean).join(' '),
	);

test('of all that may end a pod, whoever gets there first is at the top', () => {
	expect(said({eviction: inSeconds(200, 210)})).toEqual([
		'OutOfService TaintOutOfService forced',
		'NodeDeleted DeleteNode forced',
		'Taint asked',
	]);
	expect(said({eviction: inSeconds(25, 30)})).toEqual([
		'OutOfService TaintOutOfService forced',
		'Taint asked',
		'NodeDeleted DeleteNode forced',
	]);
});

test('of a node that is repaired, each end has its own time, beside that of the first of them', () => {
	const byRepair = {verdict: 'Unsure', held: null, eviction: inSeconds(0, null)} as const;
	const {cause, verdict, held} = aPodForecast();
	const own = [
		{...byRepair, cause: {kind: 'NodeRepair', by: 'workers'}},
		{verdict, held, cause, eviction: inSeconds(200, 210)},
	] as const;
	const forecast = aPodForecast({...own[0], eviction: inSeconds(0, 210), endings: own});
	const ends = endingsOf(forecast, scene()).filter(({needs}) => needs === null);
	expect(ends.map(({cause, by, isCertain, at}) => [cause, by, isCertain, at])).toEqual([
		['NodeRepair', 'workers', false, own[0].eviction],
		['Taint', undefined, true, own[1].eviction],
	]);
});

test('a node that is gone leaves nothing but pod garbage collection', () => {
	expect(said({cause: {kind: 'NodeDeleted'}}, {node: undefined})).toEqual(['NodeDeleted forced']);
});

test('on a node that is ready, its kubelet may evict for pressure, and nothing is forced for out-of-service', () => {
	expect(said({}, {node: aNode('n1'), isSilent: true}).join()).not.toContain('NodePressure');
	expect(said({eviction: inSeconds(5)}, {node: aNode('n1')})).toEqual([
		'Taint asked',
		'NodeDeleted DeleteNode forced',
		'NodePressure asked',
	]);
});

test('a pod that tolerates out-of-service is not touched by it, unless it is Terminating', () => {
	const tolerations = [tolerates(taintOutOfService)];
	expect(said({}, {pod: {tolerations}})).not.toContain('OutOfService TaintOutOfService forced');
	expect(said({}, {pod: {tolerations, deletionTimestamp: 0}})).toContain(
		'OutOfService TaintOutOfService forced',
	);
});

test('where the node is tainted out-of-service nobody has to act, and where a release knows no such thing it is not said', () => {
	const node = {...dead, taints: [aTaint(taintOutOfService)]};
	expect(said({}, {node})).toContain('OutOfService forced');
	const settings = {...defaultSettings, nodeOutOfServiceVolumeDetach: false};
	expect(said({}, {settings}).join()).not.toContain('OutOfService');
});

/** The pressure forecast of n1 and pod cart-0 with this much memory left now, and a threshold of 500Mi. */
const pressureWith = (left: string, looks = 1) =>
	forecastPressure(
		{
			...{
				node: 'n1',
				pods: [aNodePod('cart-0', {requests: {memory: '100Mi'}})],
				conditions: [],
				evicted: [],
				reports: [],
			},
			samples: Array.from({length: looks}, (_, index) => ({
				seenAt: now - 10_000 * (looks - 1 - index),
				summary: memoryLeft(left, [memoryStats('cart-0', '900Mi')]),
			})),
			config: {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}},
		},
		now,
	);

test('pressure has its time where its kubelet was asked, and is none where that leaves the pod alone', () => {
	const fields = {node: aNode('n1'), pressure: pressureWith('300Mi')};
	const endings = endingsOf(aPodForecast({eviction: inSeconds(200, 210)}), scene(fields));
	expect(endings.map(({cause}) => cause)).toEqual(['NodePressure', 'NodeDeleted', 'Taint']);
	expect(endings[0]).toMatchObject({isCertain: true, isForced: false, needs: null});
	expect(endings[0]?.at?.latest).toBeLessThanOrEqual(now + 11_000);
	expect(said({}, {...fields, pressure: pressureWith('6Gi', 4)}).join()).not.toContain('NodePressure');
	const once = endingsOf(aPodForecast(), scene({...fields, pressure: pressureWith('6Gi')}));
	expect(once.at(-1)).toMatchObject({cause: 'NodePressure', at: null, isCertain: false});
});

test('a kubelet leaves a pod alone only where all that it has a threshold for has a trend', () => {
	const pressure = pressureWith('6Gi', 4);
	const [memory] = pressure.signals;
	if (!memory) throw new Error('memory is not observed');
	const unseen = (fields: object) => ({
		...memory,
		signal: 'nodefs.available' as const,
		trend: null,
		...fields,
	});
	const endingWith = (fields: object, source: PressureForecast['source'] = 'kubelet') =>
		pressureEnding(aPodForecast(), {...pressure, source, signals: [memory, unseen(fields)]});
	expect(endingWith({})).toMatchObject({cause: 'NodePressure', at: null, isCertain: false});
	// Without a threshold, or without observing the signal, it never evicts for it.
	expect(endingWith({thresholds: []})).toBeUndefined();
	expect(endingWith({thresholds: [], available: null})).toBeUndefined();
	expect(endingWith({thresholds: [], available: null}, 'metrics')).toMatchObject({at: null});
});

test('on a silent node that still says Ready, out-of-service forces the end once it is found not ready', () => {
	const silent = {node: aNode('n1'), isSilent: true};
	const find = (fields: Partial<EndingScene>) =>
		endingsOf(aPodForecast({eviction: inSeconds(320, 325)}), scene({...silent, ...fields})).find(
			({cause}) => cause === 'OutOfService',
		);
	const found = find({unknown: inSeconds(20, 26)});
	expect(found).toMatchObject({needs: 'TaintOutOfService', isForced: true, isCertain: true});
	expect(found?.asked?.earliest).toBe(now);
	expect(found?.at).toMatchObject({earliest: now + 20_000, expected: now + 33_000, latest: now + 47_250});
	expect(find({unknown: inSeconds(20, null)})).toMatchObject({isCertain: false, at: {latest: null}});
	expect(find({unknown: null})).toMatchObject({isCertain: false, at: null});
});

test('a pod that goes by the out-of-service taint already is told of it once', () => {
	const taint = `${taintOutOfService}:NoExecute`;
	const fields = {cause: {kind: 'OutOfService', taint, tolerationSeconds: null}} as const;
	const node = {...dead, taints: [aTaint(taintOutOfService)]};
	const endings = endingsOf(aPodForecast({...fields, eviction: inSeconds(0, 1)}), scene({node}));
	expect(endings.map(({cause, isForced, needs}) => [cause, isForced, needs])).toEqual([
		['OutOfService', true, null],
		['NodeDeleted', true, 'DeleteNode'],
	]);
	expect(endings[0]?.at).toMatchObject({earliest: now, latest: now + 22_250});
});
