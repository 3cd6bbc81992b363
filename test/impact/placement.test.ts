import {expect, test} from 'vitest';
import type {Node} from '../../src/core/model/node.ts';
import {type Occupancy, occupancyOf, type PlacedPod} from '../../src/core/model/workloads/occupancy.ts';
import type {PodTemplate} from '../../src/core/model/workloads/related.ts';
import {type NewPod, Placements} from '../../src/impact/placement.ts';
import {aNodeForecast} from '../print/forecasts.ts';
import {aNode, aTaint, inZone, tolerates} from '../support/builders.ts';
import {aTemplate} from './related.ts';

const aNewPod = (template: Partial<PodTemplate> = {}, fields: Partial<NewPod> = {}): NewPod => ({
	template: aTemplate(template),
	requests: template.requests ?? {cpu: 0, memory: 0},
	priority: 0,
	volumes: {terms: [], isAll: true},
	...fields,
});
const unread = 'what runs on them is not read';
const nobody = {cpu: 0, memory: 0, pods: 0};

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
			name: 'a term of node affinity that asks for nothing is met by no node',
			template: {nodeTerms: [[]]},
			obstacle: 'outside of its node affinity',
		},
		{
			name: 'a template that names another node keeps it there (generalFilter)',
			template: {nodeName: 'n2'},
			obstacle: 'not the one that its template names',
		},
		{
			name: 'one that names this node binds it past the scheduler, which heeds cordons and NoSchedule',
			node: {unschedulable: true, taints: [aTaint('gpu', {effect: 'NoSchedule'})]},
			template: {nodeName: 'n1'},
			obstacle: undefined,
		},
		{
			name: 'but the kubelet admits none that does not tolerate a NoExecute taint',
			node: {taints: [aTaint('gpu')]},
			template: {nodeName: 'n1'},
			obstacle: 'tainted gpu',
		},
		{
			name: 'affinity to the name of a node keeps it there',
			template: {nodeTerms: [[{key: 'metadata.name', operator: 'In', values: ['n2'], isField: true}]]},
			obstacle: 'outside of its node affinity',
		},
		{
			name: 'and it may run on that',
			template: {nodeTerms: [[{key: 'metadata.name', operator: 'In', values: ['n1'], isField: true}]]},
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
	const {nodes, obstacles} = new Placements([aNodeForecast({node: aNode('n1', node)})], unread).of(
		aNewPod(template),
		nobody,
	);
	expect({nodes, obstacles}).toEqual(
		obstacle === undefined ? {nodes: 1, obstacles: []} : {nodes: 0, obstacles: [`1 ${obstacle}`]},
	);
});

test('nodes in trouble take nothing', () => {
	const dead = aNodeForecast({verdict: 'Tainted', node: aNode('n1')});
	const placements = new Placements([dead], occupancyOf([]));
	expect(placements.of(aNewPod(), nobody)).toMatchObject({
		decision: 'None',
		nodes: 0,
		obstacles: ['1 not ready'],
	});
});

const size = {cpu: 4000, memory: 8e9, pods: 10};
const placed = (node: string, cpu: number, fields: Partial<PlacedPod> = {}): PlacedPod => ({
	...{node, requests: {cpu, memory: 0}, priority: 0, keepsOthersAway: false, owner: undefined},
	...fields,
});

function decide(
	running: readonly PlacedPod[],
	pod: Partial<NewPod>,
	others: typeof nobody | undefined = nobody,
	nodes = ['n1', 'n2'],
) {
	const known: Occupancy = occupancyOf(running);
	const all = nodes.map((name) => aNodeForecast({name, node: aNode(name, {allocatable: size})}));
	return new Placements(all, known).of(aNewPod({}, pod), others);
}

const core = {cpu: 1000, memory: 0};
const full = [placed('n1', 3500), placed('n2', 3500)];

test('what it does not ask for may be overdrawn, but for the number of pods', () => {
	const overdrawn = [placed('n1', 5000)];
	expect(decide(overdrawn, {requests: {cpu: 0, memory: 1}}, nobody, ['n1'])).toMatchObject({
		decision: 'Fits',
	});
	const ten = Array.from({length: 10}, () => placed('n1', 0));
	expect(decide(ten, {}, nobody, ['n1'])).toMatchObject({decision: 'None'});
});

test.for<{
	name: string;
	running?: readonly PlacedPod[];
	pod: Partial<NewPod>;
	others?: typeof nobody;
	why: RegExp;
}>([
	{
		name: 'where others that wait may take the room',
		pod: {requests: core},
		others: {cpu: 7500, memory: 0, pods: 15},
		why: /others that wait/,
	},
	{
		name: 'where it may push others out',
		running: full,
		pod: {requests: core, priority: 1},
		why: /lower priority/,
	},
	{
		name: 'where a pod on each node with room may keep it away',
		running: ['n1', 'n2'].map((node) => placed(node, 0, {keepsOthersAway: true})),
		pod: {requests: core},
		why: /keep it away/,
	},
	{
		name: 'where other rules have a say',
		pod: {template: aTemplate({otherRules: ['its host ports', 'its scheduler x']})},
		why: /^it depends on its host ports, its scheduler x$/,
	},
	{
		name: 'where its volumes have a say',
		pod: {volumes: {terms: [], isAll: false}},
		why: /^it depends on its volumes$/,
	},
])('it is not known $name', ({running = [], pod, others, why}) => {
	expect(decide(running, pod, others)).toMatchObject({
		decision: 'Unknown',
		unknownFor: expect.stringMatching(why),
	});
});

const hostname = 'kubernetes.io/hostname';
const onlyOn = (name: string) => [[{key: hostname, operator: 'In', values: [name]}]];
const withVolumes = (...terms: ReturnType<typeof onlyOn>[]) =>
	new Placements(
		['n1', 'n2'].map((name) =>
			aNodeForecast({name, node: aNode(name, {labels: {[hostname]: name}, allocatable: size})}),
		),
		occupancyOf([]),
	).of(aNewPod({}, {volumes: {terms, isAll: true}}), nobody);

test('a pod goes where all of its volumes can be reached, or nowhere', () => {
	expect(withVolumes(onlyOn('n2'))).toMatchObject({
		...{decision: 'Fits', nodes: 1, obstacles: ['1 out of reach of its volumes']},
	});
	expect(withVolumes(onlyOn('n1'), onlyOn('n2'))).toMatchObject({decision: 'None', nodes: 0});
	expect(withVolumes(onlyOn('dead'))).toMatchObject({decision: 'None'});
});

test('where what runs on some nodes is known alone, room there is enough, and none there decides nothing', () => {
	const some = (running: readonly PlacedPod[], template: Partial<PodTemplate> = {}) => {
		const nodes = ['n1', 'n2', 'n3'].map((name) =>
			aNodeForecast({name, node: aNode(name, {allocatable: size})}),
		);
		const placements = new Placements(nodes, occupancyOf(running, new Set(['n1', 'n2'])));
		return placements.of(aNewPod(template, {requests: core}), nobody);
	};
	expect(some([placed('n1', 3500)])).toMatchObject({
		...{decision: 'Fits', nodes: 1, obstacles: ['1 without room']},
	});
	expect(some(full)).toMatchObject({
		...{decision: 'Unknown', unknownFor: 'what runs on 1 others is not read', obstacles: ['2 without room']},
	});
	expect(some(full, {nodeSelector: {disk: 'ssd'}})).toMatchObject({decision: 'None'});
});
