import {expect, test} from 'vitest';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {PressureLook, PressureNews} from '../../../src/core/nodepressure/pressureLook.ts';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import type {ContainerStats, FsStats, PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {second} from '../../../src/core/time/instant.ts';
import {utc} from '../../../src/dates/timeZone.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import {formatPressure} from '../../../src/print/pressure/pressure.ts';
import {Backlog} from '../../../src/recording/format/backlog.ts';
import {entryDecoder} from '../../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../../src/recording/format/encodeEntry.ts';
import {aNode} from '../../support/builders.ts';
import {drawWorld, shortages} from '../../support/drawnPressure.ts';
import {LeakyNode} from '../../support/leakyNode.ts';
import {amounts} from '../../support/pressure.ts';

const start = Date.UTC(2026, 0, 31, 14);

/** The news decoded from a recording, its lines, and how many of them could not be read. */
function recorded(all: readonly PressureNews[]) {
	const [encoder, decoder] = [entryEncoder(), entryDecoder()];
	const lines = all.flatMap((news, index) => [
		...encoder.lines({type: 'pressure', at: start + index * second, news}),
	]);
	const entries = lines.flatMap((line) => [...decoder.line(line)]);
	const news = entries.flatMap((entry) => (entry.type === 'pressure' ? [entry.news] : []));
	return {news, lines, broken: decoder.broken};
}

const wrapped = 2n ** 64n - 5000n;
const nodeFs = (time: number): FsStats => ({
	...{time, availableBytes: 5n, capacityBytes: 10n, inodesFree: 3n, inodes: 2n ** 60n},
});
const podFs = (time: number): FsStats => ({time, usedBytes: 7n, inodesUsed: 8n});
const memory = (time: number, workingSetBytes: bigint) => ({time, workingSetBytes});
const container = (name: string, at: number): ContainerStats => ({
	...{name, memory: memory(at, 5n), rootfs: podFs(at), logs: podFs(at)},
});

const podStats = (uid: string, at: number): PodStats => ({
	...{uid, memory: memory(at, 123n), containers: [container('app', at), {name: 'idle'}]},
	...{volumes: [{name: 'scratch', ...podFs(at)}], ephemeralStorage: podFs(at), processCount: 9n},
});

const aPod = (name: string, fields: Partial<NodePod> = {}): NodePod => ({
	...{namespace: 'shop', name, uid: `uid-${name}`, isMirror: false, priority: 5, overhead: {}},
	containers: [
		{name: 'app', requests: amounts({memory: '1536Mi', cpu: '100m'}), limits: amounts({memory: '2Gi'})},
	],
	initContainers: [
		{name: 'side', requests: {}, limits: amounts({'ephemeral-storage': '1e3'}), isSidecar: true},
	],
	volumes: [
		{name: 'scratch', kind: 'emptyDir', medium: '', sizeLimit: parseQuantity('500Mi')},
		{name: 'host', kind: 'hostPath'},
		{name: 'secret', kind: 'other'},
	],
	...{terminationGracePeriodSeconds: 0, qosClass: 'Burstable'},
	tolerations: [{key: 'a', operator: 'Exists', value: '', effect: 'NoExecute', tolerationSeconds: 5}],
	...fields,
});

const config: EvictionConfig = {
	...{evictionHard: {'memory.available': '100Mi'}, evictionMaxPodGracePeriod: 30},
	...{enforceNodeAllocatable: ['pods'], shutdownGracePeriod: '30s', kernelMemcgNotification: true},
	shutdownGracePeriodByPodPriority: [{priority: 0, shutdownGracePeriodSeconds: 5}],
};

const full = (at: number): PressureLook => ({
	...{node: 'n1', seenAt: at, source: 'kubelet'},
	config,
	summary: {
		node: {
			memory: {time: at, availableBytes: wrapped, workingSetBytes: 4n},
			podsMemory: {time: at, availableBytes: 1n, workingSetBytes: 2n},
			...{fs: nodeFs(at), imageFs: nodeFs(at), containerFs: nodeFs(at)},
			rlimit: {time: at, maxpid: 100n, curproc: 20n},
		},
		pods: [podStats('uid-cart', at), podStats('uid-web', start)],
	},
	pods: [
		aPod('cart'),
		aPod('web', {deletionTimestamp: start, resources: {requests: amounts({memory: '1Gi'}), limits: {}}}),
		aPod('static', {isMirror: true, configSource: 'file', overhead: amounts({memory: '1Mi'})}),
	],
	evicted: [
		{
			...{namespace: 'shop', name: 'old', uid: 'u', at: start},
			message: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50404Ki. ',
		},
	],
	problems: [{reason: 'PodUnreadable', message: 'a pod'}],
});

const looked = (look: PressureLook): PressureNews => ({type: 'looked', look});

test('what is read of a recording is what kubelets told, also of amounts that no number holds', () => {
	const report = {node: 'n1', reason: 'Evicted', at: start, message: '', pod: 'shop/old', uid: 'u'};
	const all: readonly PressureNews[] = [
		{type: 'chosen', nodes: ['n1'], problems: [{reason: 'SummaryForbidden', message: 'no'}]},
		{type: 'reported', reports: [report, {node: 'n1', reason: 'SystemOOM', at: start + 0.5, message: ''}]},
		looked(full(start)),
		looked({...full(start + 10 * second), problems: []}),
		looked({
			node: 'n1',
			seenAt: start,
			pods: [],
			evicted: [],
			problems: [{reason: 'SummaryMissing', message: ''}],
		}),
		looked(full(start + 20 * second)),
		{type: 'reported', reports: [{...report, at: start + second}, report]},
		{type: 'chosen', nodes: [], problems: []},
		{type: 'reported', reports: []},
	];
	const {news, broken} = recorded(all);
	const last = all[4];
	if (last?.type !== 'looked') throw new Error('no look');
	// A failed look has no configuration; the earlier one still applies.
	const expected = all.map((one) => (one === last ? looked({...last.look, config}) : one));
	expect([news, broken]).toEqual([expected, 0]);
});

test('a node that is looked at again after a while is told anew', () => {
	const none: PressureNews = {type: 'chosen', nodes: [], problems: []};
	const {news} = recorded([looked(full(start)), none, looked(full(start))]);
	expect(news.at(-1)).toEqual(looked(full(start)));
});

/** The forecast from some looks, shortly after the last. */
function told(looks: readonly PressureLook[]) {
	const samples = looks.flatMap(({summary, seenAt}) => (summary ? [{seenAt, summary}] : []));
	const {pods = [], config = {}, evicted = [], seenAt = 0} = looks.at(-1) ?? {};
	const {conditions} = aNode('n1');
	return forecastPressure(
		{node: 'n1', samples, pods, evicted, reports: [], conditions, config},
		seenAt + second,
	);
}

const readBack = (looks: readonly PressureLook[]): readonly PressureLook[] =>
	recorded(looks.map(looked)).news.flatMap((one) => (one.type === 'looked' ? [one.look] : []));

test('a forecast reads nothing that is not recorded', () => {
	const at = (seconds: number) => full(start + seconds * second);
	const extra = {availableBytes: 1n, capacityBytes: 2n, inodesFree: 3n, inodes: 4n};
	const looks = [0, 10, 20, 30].map((seconds): PressureLook => {
		const {summary, ...look} = at(seconds);
		const pods = (summary?.pods ?? []).map((pod) => ({
			...pod,
			memory: {...pod.memory, availableBytes: 66n},
			ephemeralStorage: {...pod.ephemeralStorage, ...extra},
			volumes: pod.volumes.map((volume) => ({...volume, ...extra})),
			containers: pod.containers.map((one) => ({...one, rootfs: {...one.rootfs, ...extra}})),
		}));
		return {
			...look,
			summary: {
				node: {
					...summary?.node,
					memory: {...summary?.node.memory, availableBytes: 90_000_000n - BigInt(seconds)},
				},
				pods,
			},
		};
	});
	expect(told(looks).evictions.length).toBeGreaterThan(0);
	expect(told(readBack(looks))).toEqual(told(looks));
});

test.for(shortages)(
	'a drawn node that runs short (%s) is foretold from a recording as from its kubelet',
	(shortage) => {
		const {config, leaks, measuring} = drawWorld(shortage, 1);
		const node = new LeakyNode(leaks, measuring);
		const looks = Array.from({length: 12}, (_, index): PressureLook => {
			const seenAt = 20 * second + index * 10 * second;
			const {pods, evicted = []} = node.listed(seenAt);
			const measured = {summary: node.summary(seenAt), source: 'kubelet', config} as const;
			return {node: 'n1', seenAt, ...measured, pods, evicted, problems: []};
		});
		// The zero requests of these pods have another format than the API's.
		const page = (some: readonly PressureLook[]) => {
			const forecast = told(some);
			const options = {isWide: true, showHeaders: true, timeZone: utc};
			const evictions = forecast.evictions.map(({pod, ...one}) => ({...one, pod: pod.uid}));
			return {text: formatPressure(forecast, options, forecast.observedAt ?? 0), evictions};
		};
		expect(page(readBack(looks))).toEqual(page(looks));
	},
);

test('of messages only a kubelet’s own words of an eviction are kept', () => {
	const kept = [
		'The node was low on resource: ephemeral-storage. Container app was using 5Gi, request is 0, has larger consumption of ephemeral-storage. ',
		'Usage of EmptyDir volume "scratch" exceeds the limit "500Mi". ',
		'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
		'Container app exceeded its local ephemeral storage limit "1Gi". ',
		'Attempting to reclaim memory',
	];
	const others = [
		'failed to delete image registry/SECRET:1',
		'System OOM encountered, victim process: SECRET, pid: 5',
	];
	const reports = [...kept, ...others].map((message) => ({node: 'n1', reason: 'r', at: start, message}));
	const {news, lines} = recorded([{type: 'reported', reports}]);
	expect(lines.join('')).not.toContain('SECRET');
	const [told] = news;
	expect(told?.type === 'reported' && told.reports.map(({message}) => message)).toEqual([...kept, '', '']);
});

test('lines that make no sense are counted, and names that no API server takes are left out', () => {
	const decoder = entryDecoder();
	const line = (meta: object) => [
		...decoder.line(
			JSON.stringify({at: '2026-01-31T14:00:00Z', type: 'META', meta: {kind: 'Pressure', ...meta}}),
		),
	];
	expect(line({looked: 'a b'})).toEqual([]);
	expect(line({})).toEqual([]);
	expect(decoder.broken).toBe(2);
	const [entry] = line({
		looked: 'n1',
		pods: [{metadata: {name: '$(x)', namespace: 'shop'}}, 5, ['x', {}]],
		stats: 7,
		node: 5,
	});
	expect(entry).toMatchObject({news: {look: {node: 'n1', pods: [], evicted: []}}});
	expect(decoder.broken).toBe(4);
	expect(line({chosen: ['n1', 'a b', 5], problems: 3})).toMatchObject([
		{news: {nodes: ['n1'], problems: []}},
	]);
	expect(line({reported: [{node: 'n1'}, {node: 'n1', at: '2026-01-31T14:00:00Z', pod: 'x'}]})).toMatchObject([
		{news: {type: 'reported', reports: []}},
	]);
	expect(decoder.broken).toBe(6);
});

test('what a dashboard saves reaches back as far as it may, and begins with the newest look before that', () => {
	const backlog = new Backlog(8);
	backlog.push({type: 'batch', at: start, observations: [{type: 'nodeApplied', node: aNode('n1')}]});
	backlog.push({type: 'pressure', at: start, news: {type: 'chosen', nodes: ['n1'], problems: []}});
	for (const index of [1, 2, 3, 4]) {
		backlog.push({
			type: 'pressure',
			at: start + index * 10 * second,
			news: looked(full(start + index * 10 * second)),
		});
		backlog.push({
			type: 'batch',
			at: start + index * 10 * second,
			observations: [{type: 'nodeApplied', node: aNode('n1')}],
		});
	}
	const told = backlog.entries.map((entry) => (entry.type === 'pressure' ? entry.news.type : entry.type));
	expect(told).toEqual(['batch', 'chosen', 'looked', 'batch', 'looked', 'batch']);
	const looks = backlog.entries.flatMap((entry) =>
		entry.type === 'pressure' && entry.news.type === 'looked'
			? [(entry.news.look.seenAt - start) / second]
			: [],
	);
	expect(looks).toEqual([30, 40]);
});
