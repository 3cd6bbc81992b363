import {expect, test} from 'vitest';
import type {PodTemplate} from '../../src/core/model/workloads/related.ts';
import {candidateNodes} from '../../src/impact/candidates.ts';
import {aNodeForecast, aPodForecast} from '../print/forecasts.ts';
import {aNode} from '../support/builders.ts';
import {aController, aTemplate, relatedTo} from './related.ts';

const nodes = Array.from({length: 300}, (_, index) => {
	const name = `n${index}`;
	const labels: Record<string, string> = index < 3 ? {disk: 'ssd'} : {};
	return aNodeForecast({
		...{name, node: aNode(name, {labels})},
		...(index % 10 === 9 && {verdict: 'Tainted'}),
	});
});

const owner = (uid: string) => ({kind: 'ReplicaSet', name: uid, uid});
const chosen = (...templates: Partial<PodTemplate>[]) => {
	const controllers = templates.map((fields, index) =>
		aController(`c${index}`, {template: aTemplate(fields)}),
	);
	const pods = controllers.map(({uid}) => aPodForecast({owner: owner(uid), node: 'n9'}));
	return candidateNodes(pods, nodes, relatedTo(controllers).controllers);
};

test('of many nodes only as many are chosen as may be needed, none of them in trouble', () => {
	const {candidates, troubled} = chosen({}, {});
	expect(candidates).toHaveLength(20);
	expect(candidates.filter((name) => Number(name.slice(1)) % 10 === 9)).toEqual([]);
	expect(troubled).toEqual(['n9']);
});

test('those that a template asks for are found wherever they are', () => {
	const {candidates} = chosen({nodeSelector: {disk: 'ssd'}});
	expect(candidates.toSorted()).toEqual(['n0', 'n1', 'n2']);
});

test('they are not those whose names stand together', () => {
	const numbers = chosen({}).candidates.map((name) => Number(name.slice(1)));
	expect(Math.max(...numbers) - Math.min(...numbers)).toBeGreaterThan(200);
});

test('templates take turns, so that the first of the nodes are for all of them', () => {
	const {candidates} = chosen({}, {nodeSelector: {disk: 'ssd'}});
	expect(candidates.slice(0, 6)).toEqual(expect.arrayContaining(['n0', 'n1', 'n2']));
});

test('nothing is looked at for pods that nobody makes anew', () => {
	const pods = [aPodForecast({owner: {kind: 'DaemonSet', name: 'agent', uid: 'agent'}}), aPodForecast()];
	expect(candidateNodes(pods, nodes, new Map())).toEqual({candidates: [], troubled: []});
});
