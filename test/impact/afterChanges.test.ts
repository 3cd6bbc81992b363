import {expect, test} from 'vitest';
import {Range} from '../../src/forecast/range.ts';
import type {ChangeKind} from '../../src/forecast/simulate/change.ts';
import type {NodeChange} from '../../src/forecast/whatif/whatIf.ts';
import {Placements} from '../../src/impact/placement.ts';
import {afterChanges} from '../../src/impact/whatIfImpact.ts';
import {aForecast, aNodeForecast, now} from '../print/forecasts.ts';
import {aNode, aTaint} from '../support/builders.ts';
import {aTemplate} from './related.ts';

const lost = aNodeForecast({
	...{name: 'n1', verdict: 'Tainted', ready: 'Unknown'},
	node: aNode('n1', {taints: [aTaint('node.kubernetes.io/unreachable', {effect: 'NoSchedule'})]}),
});
const end: NodeChange = {
	...{
		name: 'n1',
		isTainted: false,
		isBack: false,
		isNotReady: false,
		isUnnoticed: false,
		taint: aTaint('node.kubernetes.io/unreachable', {effect: 'NoExecute'}),
		isGone: false,
		isControlled: true,
		turnsAt: null,
	},
};
const anyPod = {
	template: aTemplate(),
	requests: {cpu: 0, memory: 0},
	priority: 0,
	volumes: {terms: [], isAll: true},
};

function placementAfter(kind: ChangeKind, fields: Partial<NodeChange>, node = lost) {
	const nodesThen = [{...end, ...fields}];
	const whatIf = {
		at: now,
		changes: [{at: now, ...kind}],
		isControlled: true,
		pods: [],
		nodes: nodesThen,
		zones: [],
	};
	const {nodes} = afterChanges(aForecast({nodes: [node]}), whatIf);
	const {obstacles} = new Placements(nodes, 'not read').of(anyPod, undefined);
	return obstacles;
}

test('a node that is back takes pods: its taints are gone', () => {
	expect(placementAfter({type: 'nodeBack', node: 'n1'}, {isBack: true})).toEqual([]);
});

test('a node that is cordoned, or tainted, takes none; one that is gone is not spoken of', () => {
	const well = aNodeForecast({name: 'n1', node: aNode('n1')});
	const cordon = {type: 'cordon', node: 'n1', unschedulable: true} as const;
	expect(placementAfter(cordon, {}, well)).toEqual(['1 cordoned']);
	const taint = aTaint('gpu', {effect: 'NoSchedule'});
	expect(placementAfter({type: 'taint', node: 'n1', taint}, {}, well)).toEqual(['1 tainted gpu']);
	expect(placementAfter({type: 'deleteNode', node: 'n1'}, {isGone: true}, well)).toEqual([]);
});

test('a taint that is taken off keeps nobody away', () => {
	const taint = aTaint('gpu', {effect: 'NoSchedule'});
	const well = aNodeForecast({name: 'n1', node: aNode('n1', {taints: [taint]})});
	expect(placementAfter({type: 'untaint', node: 'n1', key: 'gpu'}, {}, well)).toEqual([]);
});

test('a silent node that no controller manager notices does not turn Unknown', () => {
	const turn = new Range(now + 20_000, now + 25_000, now + 30_000);
	const silent = aNodeForecast({name: 'n1', verdict: 'Silent', unknown: turn});
	const changes = [{type: 'controllersDown', at: now} as const];
	const after = (fields: Partial<NodeChange>) =>
		afterChanges(aForecast({nodes: [silent]}), {
			...{at: now, changes, isControlled: false, pods: [], zones: []},
			nodes: [{...end, ...fields}],
		}).nodes[0];
	expect(after({isUnnoticed: true, isControlled: false})?.unknown).toBe(null);
	expect(after({})?.unknown).toBe(turn);
});
