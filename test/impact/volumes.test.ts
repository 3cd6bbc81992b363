import {expect, test} from 'vitest';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {withAfter} from '../../src/impact/withAfter.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../print/forecasts.ts';
import {aNode, aTaint} from '../support/builders.ts';
import {aController, aTemplate, relatedTo} from './related.ts';

const claim = (name: string, volume: string, isShared = false) => ({
	namespace: 'shop',
	name,
	volume,
	isShared,
});
const attached = (volume: string, node = 'n1') => ({node, volume});
const dead = aNodeForecast({name: 'n1', node: aNode('n1'), verdict: 'Tainted', ready: 'Unknown'});

function after(kind: string, fields: Partial<Related>, node = dead) {
	const owner = {kind, name: 'db', uid: 'db'};
	const template = aTemplate({claims: kind === 'ReplicaSet' ? ['shared'] : []});
	const claimTemplates = kind === 'StatefulSet' ? ['data'] : [];
	const related = relatedTo([aController('db', {kind, template, claimTemplates})], fields);
	const pods = ['db-0', 'db-1'].map((name) => aPodForecast({name, uid: name, owner, after: null}));
	return withAfter(aForecast({pods, nodes: [node]}), related).pods.map((pod) => pod.after);
}

const ofBoth = [claim('data-db-0', 'pv-0'), claim('data-db-1', 'pv-1')];

test('each pod of a StatefulSet is told of its own volume, as long as that is attached to its dead node', () => {
	const [first, second] = after('StatefulSet', {claims: ofBoth, attachments: [attached('pv-0')]});
	expect(first?.volumes).toEqual([{claim: 'data-db-0', volume: 'pv-0'}]);
	expect(first?.detail).toMatch(/waits for pv-0 \(claim data-db-0\), attached to n1: .*6 min/);
	expect(second?.volumes).toBeUndefined();
	expect(second?.detail).toMatch(/volumes are detached by force 6 min/);
});

test('a volume that a Deployment shares holds back whoever replaces its pod on another node', () => {
	const [first] = after('ReplicaSet', {claims: [claim('shared', 'pv')], attachments: [attached('pv')]});
	expect(first).toMatchObject({outcome: 'Replaced', volumes: [{claim: 'shared', volume: 'pv'}]});
});

test('a volume that several nodes may have, or that is attached elsewhere, holds nobody back', () => {
	const shared = after('ReplicaSet', {claims: [claim('shared', 'pv', true)], attachments: [attached('pv')]});
	expect(shared[0]?.volumes).toBeUndefined();
	const elsewhere = {claims: [claim('shared', 'pv')], attachments: [attached('pv', 'n2')]};
	expect(after('ReplicaSet', elsewhere)[0]?.volumes).toBeUndefined();
});

test('a node that is out of service gives them back at once, and one that is alive as well', () => {
	const node = {...dead, node: aNode('n1', {taints: [aTaint('node.kubernetes.io/out-of-service')]})};
	const related = {claims: ofBoth, attachments: [attached('pv-0')]};
	expect(after('StatefulSet', related, node)[0]?.volumes).toBeUndefined();
	expect(after('StatefulSet', related, aNodeForecast({name: 'n1'}))[0]?.volumes).toBeUndefined();
});

test('a successor that waits for a volume of a dead node says so, though nothing evicts it', () => {
	const owner = {kind: 'ReplicaSet', name: 'db', uid: 'db'};
	const related = relatedTo(
		[aController('db', {kind: 'ReplicaSet', template: aTemplate({claims: ['shared']})})],
		{
			claims: [claim('shared', 'pv')],
			attachments: [attached('pv')],
		},
	);
	const waiting = {owner, verdict: 'Safe', node: 'n2', eviction: null, cause: null, after: null} as const;
	const pods = (['False', 'True'] as const).map((ready) =>
		aPodForecast({...waiting, name: ready, uid: ready, ready}),
	);
	const afterOn = (isSilent: boolean) => {
		const nodes = [{...dead, isSilent}, aNodeForecast({name: 'n2'})];
		return withAfter(aForecast({pods, nodes}), related).pods.map(({after}) => after);
	};
	expect(afterOn(true)).toMatchObject([
		{
			outcome: 'Blocked',
			detail: expect.stringMatching(
				/^it starts once it has pv \(claim shared\), attached to n1: detached by force 6 min after the pod there is gone/,
			),
		},
		null,
	]);
	expect(afterOn(false)).toEqual([null, null]);
});
