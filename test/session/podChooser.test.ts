import {expect, test} from 'vitest';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {FirstLook} from '../../src/forecast/firstLook.ts';
import {podChooser} from '../../src/session/podChooser.ts';
import {aLease, aNode} from '../support/builders.ts';

const controlPlane = {'node-role.kubernetes.io/control-plane': ''};
const inZone = (name: string, zone: string, labels = {}) =>
	aNode(name, {labels: {'topology.kubernetes.io/zone': zone, ...labels}});

test('to say what one more dead node does, the pods of ready workers are read: of a large cluster one of each zone', () => {
	const nodes = [
		inZone('control', 'a', controlPlane),
		inZone('a1', 'a'),
		inZone('a2', 'a'),
		inZone('b1', 'b'),
		inZone('b2', 'b'),
	];
	const observations = [
		...nodes.map((node) => ({type: 'nodeApplied', node}) as const),
		...nodes.map(
			({name}) => ({type: 'leaseApplied', lease: aLease(name, name === 'b1' ? -60_000 : 0)}) as const,
		),
	];
	expect(podChooser().first(observations, 0)).toEqual(['b1']);
	const chooser = () => podChooser({readyWorkers: true});
	expect(chooser().first(observations, 0)).toEqual(['b1', 'a1', 'a2', 'b2']);
	const more = Array.from({length: 50}, (_, index) => inZone(`a-${index}`, 'a'));
	const large = [
		...observations,
		...more.flatMap((node) => [
			{type: 'nodeApplied', node} as const,
			{type: 'leaseApplied', lease: aLease(node.name, 0)} as const,
		]),
	];
	expect(
		chooser()
			.first(large, 0)
			.filter((name) => !name.startsWith('a-')),
	).toEqual(['b1', 'a1', 'b2']);
});

test('where pods are waited for, the look that they were chosen by is told', () => {
	const names = Array.from({length: 1200}, (_, index) => `n${index}`);
	const look = (silent: string | undefined) => [
		...names.map((name) => ({type: 'nodeApplied', node: inZone(name, 'a')}) as const),
		...names.map(
			(name) => ({type: 'leaseApplied', lease: aLease(name, name === silent ? -60_000 : 0)}) as const,
		),
	];
	const seen: FirstLook[] = [];
	const chooser = () => podChooser({}, undefined, (one) => seen.push(one));
	expect(chooser().first(look(undefined), 0)).toEqual([]);
	expect(seen).toEqual([]);
	expect(chooser().first(look('n7'), 0)).toEqual(['n7']);
	expect(seen.map((one) => one.census()?.nodes.filter(({verdict}) => verdict === 'Silent'))).toMatchObject([
		[{name: 'n7'}],
	]);
});

test('the pods of nodes that are only late are read too, unless there are many', () => {
	const look = (late: number) =>
		Array.from({length: 60}, (_, index) => [
			{type: 'nodeApplied', node: inZone(`n${index}`, 'a')} as const,
			{type: 'leaseApplied', lease: aLease(`n${index}`, index < late ? -13_000 : 0)} as const,
		]).flat();
	expect(podChooser().first(look(2), 0)).toEqual(['n0', 'n1']);
	expect(podChooser().first(look(51), 0)).toEqual([]);
	const forecaster = {podScope: () => [], settings: defaultSettings};
	expect(podChooser({}, forecaster).first(look(2), 0)).toEqual(['n0', 'n1']);
});
