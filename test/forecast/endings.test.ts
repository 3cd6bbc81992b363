import {expect, test} from 'vitest';
import {defaultSettings} from '../../src/core/model/controllerSettings.ts';
import {taintOutOfService} from '../../src/core/model/taint.ts';
import {againstOwn, type EndingScene, endingsOf} from '../../src/forecast/endings.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {aPodForecast, inSeconds} from '../print/forecasts.ts';
import {aCondition, aNode, aTaint, tolerates} from '../support/builders.ts';

const dead = aNode('n1', {conditions: [aCondition('Ready', 'Unknown')]});
const scene = (fields: Partial<EndingScene> = {}): EndingScene => ({
	...{
		pod: {tolerations: []},
		node: dead,
		isSilent: false,
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

test('what needs somebody is held against the countdown', () => {
	expect(againstOwn(inSeconds(40, 81), inSeconds(100))).toBe(', before its countdown ends');
	expect(againstOwn(inSeconds(40, 81), inSeconds(30))).toBe(', after its countdown has ended');
	expect(againstOwn(inSeconds(40, 81), inSeconds(60))).toBe(', and either may come first');
	expect(againstOwn(inSeconds(0, 20), null)).toBe('');
});
