import {expect, test} from 'vitest';
import type {Node} from '../../src/core/model/node.ts';
import type {PodTemplate} from '../../src/core/model/related.ts';
import {Placements} from '../../src/impact/placement.ts';
import {aNodeForecast} from '../print/forecasts.ts';
import {aNode, aTaint, inZone, tolerates} from '../support/builders.ts';
import {aTemplate} from './related.ts';

const zoneLabel = 'topology.kubernetes.io/zone';

test.for<{name: string; node?: Partial<Node>; template?: Partial<PodTemplate>; obstacle: string | undefined}>(
	[
		{name: 'a node without anything special takes a pod without wishes', obstacle: undefined},
		{name: 'a cordoned node takes none', node: {unschedulable: true}, obstacle: 'cordoned'},
		{
			name: 'but one that tolerates it',
			node: {unschedulable: true},
			template: {
				tolerations: [tolerates('node.kubernetes.io/unschedulable')].map((one) => ({...one, effect: ''})),
			},
			obstacle: undefined,
		},
		{
			name: 'a taint keeps it away',
			node: {taints: [aTaint('gpu', {effect: 'NoSchedule'})]},
			obstacle: 'tainted gpu',
		},
		{
			name: 'a taint that only prefers does not',
			node: {taints: [aTaint('gpu', {effect: 'PreferNoSchedule'})]},
			obstacle: undefined,
		},
		{
			name: 'a selector keeps it to its zone',
			node: {labels: inZone('a')},
			template: {nodeSelector: {[zoneLabel]: 'b'}},
			obstacle: 'without the labels of its node selector',
		},
		{
			name: 'affinity to a zone keeps it there',
			node: {labels: inZone('a')},
			template: {nodeTerms: [[{key: zoneLabel, operator: 'In', values: ['b', 'c']}]]},
			obstacle: 'outside of its node affinity',
		},
		{
			name: 'any one of the terms of an affinity is enough',
			node: {labels: inZone('a')},
			template: {
				nodeTerms: [
					[{key: zoneLabel, operator: 'NotIn', values: ['a']}],
					[{key: zoneLabel, operator: 'Exists', values: []}],
				],
			},
			obstacle: undefined,
		},
		{
			name: 'a node that is too small when empty does not take it',
			node: {allocatable: {cpu: 4000, memory: 8e9}},
			template: {requests: {cpu: 4001, memory: 0}},
			obstacle: 'too small',
		},
		{
			name: 'one that does not say how large it is might',
			template: {requests: {cpu: 4001, memory: 0}},
			obstacle: undefined,
		},
	],
)('$name', ({node, template, obstacle}) => {
	const {nodes, obstacles} = new Placements([aNodeForecast({node: aNode('n1', node)})]).of(
		aTemplate(template),
	);
	expect({nodes, obstacles}).toEqual(
		obstacle === undefined ? {nodes: 1, obstacles: []} : {nodes: 0, obstacles: [`1 ${obstacle}`]},
	);
});

test('nodes in trouble take nothing', () => {
	const dead = aNodeForecast({verdict: 'Tainted', node: aNode('n1')});
	expect(new Placements([dead]).of(aTemplate())).toMatchObject({nodes: 0, obstacles: ['1 not ready']});
});
