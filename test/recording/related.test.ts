import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import type {Related} from '../../src/core/model/related.ts';
import {nothingRelated} from '../../src/core/model/related.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {scenarioNamed} from '../../src/demo/scenarios.ts';
import {Backlog} from '../../src/recording/backlog.ts';
import {EntryDecoder} from '../../src/recording/decodeEntry.ts';
import {EntryEncoder} from '../../src/recording/encodeEntry.ts';
import type {Entry} from '../../src/recording/entry.ts';
import {ManualTimers} from '../demo/manualTimers.ts';
import {aController, aTemplate, relatedTo} from '../impact/related.ts';
import {aNode} from '../support/builders.ts';
import {bareSurroundings, instantTiming} from '../support/testSurroundings.ts';

const start = Date.UTC(2026, 0, 31, 14, 7, 31);

const entryOf = (related: Related, at = start): Entry => ({type: 'related', at, related});
const linesOf = (entries: readonly Entry[], encoder = new EntryEncoder()) =>
	entries.flatMap((entry) => [...encoder.lines(entry)]);
function readBack(lines: readonly string[]) {
	const decoder = new EntryDecoder();
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	return {entries, broken: decoder.broken};
}

/** All that can be said of what belongs to pods. */
const full: Related = relatedTo(
	[
		aController('cart', {
			kind: 'StatefulSet',
			owner: {kind: 'Cart', name: 'cart', uid: 'root'},
			claimTemplates: ['data'],
			template: aTemplate({
				tolerations: [{key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 30}],
				nodeSelector: {disk: 'ssd'},
				nodeTerms: [
					[{key: 'zone', operator: 'In', values: ['a', 'b']}],
					[{key: 'metadata.name', operator: 'In', values: ['n1'], isField: true}],
				],
				requests: {cpu: 250, memory: 2 ** 28},
				claims: ['shared'],
				otherRules: ['its pod affinity'],
			}),
		}),
		aController('import', {kind: 'Job', backoff: {limit: 6, failed: 1, waitsForEnd: true}}),
	],
	{
		budgets: [
			{
				...{namespace: 'shop', name: 'cart', currentHealthy: 3, desiredHealthy: 2},
				selector: {
					matchLabels: {app: 'cart'},
					matchExpressions: [{key: 'tier', operator: 'Exists', values: []}],
				},
			},
		],
		services: [{namespace: 'shop', name: 'cart', selector: {app: 'cart'}, publishesNotReady: true}],
		claims: [{namespace: 'shop', name: 'data-cart-0', volume: 'pv-1', isShared: false}],
		volumes: [
			{name: 'pv-1', isPlain: true, nodeTerms: [[{key: 'disk', operator: 'Exists', values: []}]]},
			{name: 'pv-2', isPlain: false},
		],
		endpoints: [{namespace: 'shop', service: 'cart', pod: 'cart-0', isReady: true}],
		attachments: [{node: 'n1', volume: 'pv-1'}],
		occupancy: {
			nodes: new Map([
				['n1', {cpu: 1, memory: 2, pods: 3, lowestPriority: -4, keepsOthersAway: true}],
				['n2', {cpu: 0, memory: 0, pods: 0, lowestPriority: 0, keepsOthersAway: false}],
			]),
			read: new Set(['n1', 'n2', 'n3']),
			waiting: {cpu: 5, memory: 6, pods: 7},
			perPod: new Map([['cart', {cpu: 8, memory: 9}]]),
		},
		problems: [{reason: 'JobsForbidden', message: 'may not'}],
	},
);

test('what belongs to pods is read as it was', () => {
	expect(readBack(linesOf([entryOf(full)]))).toEqual({entries: [entryOf(full)], broken: 0});
	const unknown = {...nothingRelated, occupancy: 'what runs on more than 200 nodes is not read'};
	expect(readBack(linesOf([entryOf(unknown)])).entries).toEqual([entryOf(unknown)]);
});

test('what a cluster tells of all its workloads is read as it was', async () => {
	const scenario = scenarioNamed('node-dies');
	if (!scenario) throw new Error('no scenario');
	const timers = new ManualTimers();
	const clock = () => start + timers.now;
	const demo = await startDemo(scenario, {port: 0, clock, timers, seed: 1});
	const cluster = await connect({server: demo.url}, bareSurroundings(), instantTiming({now: clock}));
	try {
		const {nodes, pods} = await cluster.snapshot({pods: {type: 'all'}});
		const related = await cluster.related({
			namespaces: new Set(pods.map(({namespace}) => namespace)),
			ownerKinds: new Set(pods.flatMap(({owner}) => owner?.kind ?? [])),
			nodeCount: nodes.length,
		});
		expect(related.controllers.size).toBeGreaterThan(5);
		const [entry] = readBack(linesOf([entryOf(related)])).entries;
		if (entry?.type !== 'related') throw new Error('nothing came back');
		for (const part of [
			...(['budgets', 'services', 'claims', 'endpoints'] as const),
			...(['volumes', 'attachments', 'problems'] as const),
		])
			expect(new Set<unknown>(entry.related[part])).toEqual(new Set<unknown>(related[part]));
		expect(entry.related.controllers).toEqual(related.controllers);
		expect(entry.related.occupancy).toEqual(related.occupancy);
	} finally {
		await cluster.close();
		await demo.close();
	}
});

test('only what is new is written, and what is gone', () => {
	const [one, two] = [aController('one'), aController('two')];
	const readings = [
		relatedTo([one, two]),
		relatedTo([one, two]),
		relatedTo([{...one, ready: 1}, two]),
		relatedTo([{...one, ready: 1}]),
	];
	const lines = linesOf(readings.map((related, index) => entryOf(related, start + index)));
	const metas = lines.map((line) => JSON.parse(line).meta);
	expect(metas.map(({set, gone}) => [set.length, gone])).toEqual([
		...[[3, []] as const, [1, []] as const],
		[0, ['Controller two']],
	]);
	const {entries} = readBack(lines);
	expect(entries.map((entry) => entry.type === 'related' && entry.related)).toEqual(
		[readings[0], readings[2], readings[3]].map((related) => related),
	);
});

test('many parts are written in pieces, and half of them says nothing', () => {
	const related = relatedTo(Array.from({length: 1200}, (_, index) => aController(`w${index}`)));
	const lines = linesOf([entryOf(related)]);
	expect(lines).toHaveLength(3);
	expect(readBack(lines).entries).toMatchObject([{type: 'related'}]);
	expect(readBack(lines.slice(0, 2)).entries).toEqual([]);
});

test('of too many endpoints none is written, and that is said', () => {
	const endpoint = (index: number) => ({namespace: 'shop', service: 's', pod: `p${index}`, isReady: true});
	const endpoints = Array.from({length: 50_001}, (_, index) => endpoint(index));
	const [entry] = readBack(linesOf([entryOf(relatedTo([aController('one')], {endpoints}))])).entries;
	if (entry?.type !== 'related') throw new Error('nothing came back');
	expect(entry.related.endpoints).toEqual([]);
	expect(entry.related.controllers.size).toBe(1);
	expect(entry.related.problems).toMatchObject([{reason: 'EndpointSlicesNotRecorded'}]);
});

test('parts that make no sense are counted, and the others read', () => {
	const junk = {part: 'Later', x: 1};
	const line = (set: readonly unknown[]) =>
		JSON.stringify({at: '2026-01-31T14:07:31.000Z', type: 'META', meta: {kind: 'Related', set}});
	const {entries, broken} = readBack([
		line([junk, 7, {part: 'Controller'}, {part: 'Attachment', node: 'n1'}]),
	]);
	expect(broken).toBe(3);
	expect(entries).toMatchObject([{type: 'related', related: {attachments: [{node: 'n1', volume: ''}]}}]);
	expect(readBack([line([])]).entries).toEqual([entryOf(nothingRelated)]);
});

test('a saved dashboard begins with what last belonged to pods, and keeps no more than it may', () => {
	const backlog = new Backlog(10);
	const one = {type: 'nodeApplied', node: aNode('n1')} as const;
	backlog.observe([one], start, {type: 'firstLook'});
	for (let index = 1; index <= 4; index++) {
		const controllers = Array.from({length: 6}, (_, each) => aController(`w${each}`, {ready: index}));
		backlog.reportRelated(relatedTo(controllers), start + index);
	}
	const kept = backlog.entries.filter((entry) => entry.type === 'related');
	expect(kept.map(({related}) => related.controllers.get('w0')?.ready)).toEqual([3, 4]);
	expect(backlog.entries[0]).toMatchObject({type: 'batch', observations: [one]});
});
