import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {ownersOf} from '../../src/impact/withAfter.ts';
import {Backlog} from '../../src/recording/format/backlog.ts';
import {entryDecoder} from '../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../src/recording/format/encodeEntry.ts';
import type {RecordingEntry} from '../../src/recording/format/entry.ts';
import {ManualTimers} from '../demo/manualTimers.ts';
import {aController, aJob, aTemplate, relatedTo} from '../impact/related.ts';
import {aNode} from '../support/builders.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

const start = Date.UTC(2026, 0, 31, 14, 7, 31);

const entryOf = (related: Related, at = start): RecordingEntry => ({type: 'related', at, related});
const linesOf = (entries: readonly RecordingEntry[], encoder = entryEncoder()) =>
	entries.flatMap((entry) => [...encoder.lines(entry)]);
function readBack(lines: readonly string[]) {
	const decoder = entryDecoder();
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	return {entries, broken: decoder.broken};
}

/** Related objects with all possible fields. */
const full: Related = relatedTo(
	[
		aController('cart', {
			kind: 'StatefulSet',
			owner: {kind: 'Cart', name: 'cart', uid: 'root'},
			claimTemplates: ['data'],
			replicas: 3,
			ordinals: {start: 1, isParallel: true},
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
		aController('import', {
			kind: 'Job',
			job: aJob({
				...{isIndexed: true, backoffLimit: Number.POSITIVE_INFINITY, backoffLimitPerIndex: 1},
				...{deadline: 1_000_000, maxFailedIndexes: 2, ended: 'FailureTarget', failedIndexes: '1,3-4'},
				failurePolicy: [
					{action: 'FailIndex', exitCodes: {isIn: true, values: [1, 2]}, conditions: []},
					{action: 'Ignore', conditions: [{type: 'DisruptionTarget', status: 'True'}]},
				],
			}),
		}),
		aController('logs', {kind: 'DaemonSet', maySurge: true}),
	],
	{
		budgets: [
			{
				...{namespace: 'shop', name: 'cart', currentHealthy: 3, desiredHealthy: 2, expectedPods: 3},
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
	const timers = new ManualTimers();
	const clock = () => start + timers.now;
	const demo = await startDemo(demoScenario('node-dies'), {port: 0, clock, timers, seed: 1});
	const cluster = await connect({server: demo.url}, bareEnvironment(), instantTiming({now: clock}));
	try {
		const {nodes, pods} = await cluster.snapshot({pods: {type: 'all'}});
		const related = await cluster.related(ownersOf(pods, nodes.length));
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

test.for<{name: string; fields: (count: number) => Partial<Related>; reason: string}>([
	{
		name: 'claims',
		fields: (count) => ({
			claims: Array.from({length: count}, (_, each) => ({
				...{namespace: 'shop', name: `c${each}`, volume: `pv-${each}`, isShared: false},
			})),
		}),
		reason: 'PersistentVolumeClaimsNotRecorded',
	},
	{
		name: 'volumes',
		fields: (count) => ({
			volumes: Array.from({length: count}, (_, each) => ({name: `pv-${each}`, isPlain: true})),
		}),
		reason: 'PersistentVolumesNotRecorded',
	},
	{
		name: 'attachments',
		fields: (count) => ({
			attachments: Array.from({length: count}, (_, each) => ({node: 'n1', volume: `pv-${each}`})),
		}),
		reason: 'VolumeAttachmentsNotRecorded',
	},
	{
		name: 'owners of pods on nodes',
		fields: (count) => ({
			occupancy: {
				...{nodes: new Map(), waiting: {cpu: 0, memory: 0, pods: 0}},
				perPod: new Map(Array.from({length: count}, (_, each) => [`u${each}`, {cpu: 1, memory: 1}])),
			},
		}),
		reason: 'NodesNotRecorded',
	},
])('of too many $name none is written, and that is said', ({fields, reason}) => {
	const endpoints = [{namespace: 'shop', service: 's', pod: 'p', isReady: true}];
	const lines = linesOf([entryOf(relatedTo([aController('one')], {endpoints, ...fields(50_001)}))]);
	expect(lines).toHaveLength(1);
	const [entry] = readBack(lines).entries;
	if (entry?.type !== 'related') throw new Error('nothing came back');
	expect(entry.related.controllers.size).toBe(1);
	const reasons = entry.related.problems.map((problem) => problem.reason);
	expect(reasons.toSorted()).toEqual(['EndpointSlicesNotRecorded', reason].toSorted());
	expect(entry.related).toMatchObject({claims: [], volumes: [], attachments: [], endpoints: []});
	if (reason === 'NodesNotRecorded') expect(entry.related.occupancy).toMatch(/too much/);
});

test('what is gone is written in pieces like what is new', () => {
	const many = relatedTo(Array.from({length: 1200}, (_, index) => aController(`w${index}`)));
	const encoder = entryEncoder();
	const first = linesOf([entryOf(many)], encoder);
	const lines = linesOf([entryOf(relatedTo([aController('other')]), start + 1)], encoder);
	const sizes = lines.map((line) => JSON.parse(line).meta.gone.length);
	expect(sizes).toEqual([500, 500, 200]);
	const related = readBack([...first, ...lines]).entries.at(-1);
	expect(related).toEqual(entryOf(relatedTo([aController('other')]), start + 1));
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

const readyOf = (backlog: Backlog) =>
	backlog.entries.flatMap((entry) =>
		entry.type === 'related' ? [entry.related.controllers.get('w0')?.ready] : [],
	);

const aReading = (ready: number, fields: Partial<Related> = {}) =>
	relatedTo(
		Array.from({length: 6}, (_, each) => aController(`w${each}`, {ready})),
		fields,
	);

test('of readings the older are thinned, and what was seen of nodes stays', () => {
	const backlog = new Backlog(10, 28);
	const one = {type: 'nodeApplied', node: aNode('n1')} as const;
	backlog.push({type: 'batch', at: start, observations: [one], provenance: {type: 'firstLook'}});
	for (let index = 1; index <= 4; index++)
		backlog.push({type: 'related', at: start + index, related: aReading(index)});
	expect(readyOf(backlog)).toEqual([1, 2, 3, 4]);
	backlog.push({type: 'related', at: start + 5, related: aReading(5)});
	expect(readyOf(backlog)).toEqual([1, 3, 5]);
	for (let index = 6; index <= 100; index++)
		backlog.push({type: 'related', at: start + index, related: aReading(index)});
	const kept = readyOf(backlog);
	expect([kept[0], kept.at(-1)]).toEqual([1, 100]);
	expect(kept.length).toBeLessThanOrEqual(4);
	expect(backlog.entries[0]).toMatchObject({
		type: 'batch',
		observations: [one],
		provenance: {type: 'firstLook'},
	});
});

test.for<{name: string; fields: Partial<Related>}>([
	{
		name: 'volumes',
		fields: {volumes: Array.from({length: 20}, (_, each) => ({name: `pv-${each}`, isPlain: true}))},
	},
	{
		name: 'nodes',
		fields: {
			occupancy: {
				...{waiting: {cpu: 0, memory: 0, pods: 0}, perPod: new Map()},
				nodes: new Map(
					Array.from({length: 20}, (_, each) => [
						`n${each}`,
						{cpu: 1, memory: 1, pods: 1, lowestPriority: 0, keepsOthersAway: false},
					]),
				),
			},
		},
	},
])(
	'$name count among what is kept of readings, of which the latest stays however large it is',
	({fields}) => {
		const backlog = new Backlog(10, 28);
		for (const ready of [1, 2])
			backlog.push({type: 'related', at: start + ready, related: aReading(ready, fields)});
		expect(readyOf(backlog)).toEqual([2]);
	},
);

test('a saved dashboard begins with what last belonged to pods, and keeps no more than it may', () => {
	const backlog = new Backlog(3);
	const seen = (name: string, at: number) =>
		backlog.push({type: 'batch', at: start + at, observations: [{type: 'nodeApplied', node: aNode(name)}]});
	for (let index = 1; index <= 6; index++) {
		seen(`n${index}`, 2 * index);
		backlog.push({type: 'related', at: start + 2 * index + 1, related: aReading(index)});
	}
	expect(backlog.entries.slice(0, 2)).toMatchObject([
		{type: 'batch', at: start + 6, observations: [{}, {}, {}]},
		{type: 'related', at: start + 6},
	]);
	expect(readyOf(backlog)).toEqual([2, 3, 4, 5, 6]);
});
