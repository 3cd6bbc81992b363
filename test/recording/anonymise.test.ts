import {expect, test} from 'vitest';
import {Decoder, type ObservedKind} from '../../src/cluster/codec/decoder.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {second} from '../../src/core/time/instant.ts';
import {objectStore} from '../../src/demo/world/objectStore.ts';
import {type DemoScenario, scenarios} from '../../src/demo/world/scenarios.ts';
import {demoWorld} from '../../src/demo/world/world.ts';
import type {Range} from '../../src/forecast/range.ts';
import {Anonymiser} from '../../src/recording/format/anonymiser.ts';
import {entryDecoder} from '../../src/recording/format/decodeEntry.ts';
import {entryEncoder} from '../../src/recording/format/encodeEntry.ts';
import type {RecordingEntry} from '../../src/recording/format/entry.ts';
import {learningWatcher} from '../support/learningWatcher.ts';

const start = Date.UTC(2026, 0, 31, 14);
const length = 200;

/** What a client hears of an outage of the demo, second by second, and the names of all its objects. */
function heard(scenario: DemoScenario) {
	const store = objectStore();
	const {node: nodes, pod: pods, lease: leases, event: events} = new Decoder();
	const names = new Set<string>();
	let seen: Observation[] = [];
	const kinds: Readonly<Record<string, ObservedKind<unknown>>> = {nodes, pods, leases, events};
	for (const resource of ['nodes', 'pods', 'leases', 'events'] as const)
		store.of(resource).subscribe(({object}) => {
			const {name, namespace = '', uid = '', labels = {}} = object.metadata;
			for (const text of [name, namespace, uid, ...Object.values(labels)]) names.add(text);
			const decoded = kinds[resource]?.decode(object);
			const observation = decoded === undefined ? undefined : kinds[resource]?.applied(decoded);
			if (observation) seen.push(observation);
		});
	const world = demoWorld(scenario, store, {now: start, gitVersion: 'v1.36.3', seed: 1});
	const entries: RecordingEntry[] = [];
	for (let at = start; at <= start + length * second; at += second) {
		world.advanceTo(at);
		// An API server lists the nodes first, in the order of their names.
		if (at === start)
			seen = seen.toSorted((a, b) => (a.type === 'nodeApplied' ? 0 : 1) - (b.type === 'nodeApplied' ? 0 : 1));
		const provenance = at === start ? ({type: 'firstLook'} as const) : undefined;
		if (seen.length > 0)
			entries.push({type: 'batch', at, observations: seen, ...(provenance && {provenance})});
		seen = [];
	}
	return {entries, names};
}

const linesOf = (entries: readonly RecordingEntry[], encoder: ReturnType<typeof entryEncoder>) =>
	entries.flatMap((entry) => [...encoder.lines(entry)]);

/** Six forecasts that follow from lines of a recording, by name, and the medians in them. */
function foretold(lines: readonly string[], nameOf: (name: string) => string) {
	const evidence = {flags: {}, versionFlag: undefined, serverVersion: 'v1.36.3', learned: {}};
	const watcher = learningWatcher({...evidence, controlPlane: unseenControlPlane('not looked for')});
	const decoder = entryDecoder();
	const all: unknown[] = [];
	const medians = new Map<string, number>();
	const ends = (key: string, range: Range | null) => {
		if (range) medians.set(key, range.expected);
		return range && [range.earliest, range.latest];
	};
	const entries = [...lines.flatMap((line) => [...decoder.line(line)]), ...decoder.end()];
	for (const [index, entry] of entries.entries()) {
		if (entry.type === 'batch') watcher.observe(entry.observations, entry.at, entry.provenance);
		if (index % Math.ceil(entries.length / 6) !== 0) continue;
		const {pods, nodes, zones} = watcher.forecast(entry.at);
		all.push({
			pods: pods
				.map(({namespace, name, node, zone, verdict, eviction}) =>
					JSON.stringify([
						nameOf(`${namespace}/${name}`),
						nameOf(node),
						nameOf(zone),
						verdict,
						ends(`${index} ${nameOf(`${namespace}/${name}`)}`, eviction),
					]),
				)
				.toSorted(),
			nodes: nodes
				.map(({name, verdict, unknown}) =>
					JSON.stringify([nameOf(name), verdict, ends(`${index} ${nameOf(name)}`, unknown)]),
				)
				.toSorted(),
			zones: zones.map(({zone, state, rate}) => JSON.stringify([nameOf(zone), state, rate])).toSorted(),
		});
	}
	expect(decoder.broken).toBe(0);
	return {all, medians};
}

/** Names that are the same in each cluster, and texts that say nothing. */
const common = ['', 'default', 'kube-system', 'kube-node-lease', 'kube-controller-manager', 'control-plane'];

test.for(scenarios.filter(({name}) => name !== 'large-cluster'))(
	'$name: without its names, a recording makes the same forecasts, and no name is in it',
	(scenario) => {
		const {entries, names} = heard(scenario);
		const anonymiser = new Anonymiser();
		const plain = linesOf(entries, entryEncoder());
		const anonymous = linesOf(entries, entryEncoder(anonymiser.line));
		expect(anonymous.length).toBe(plain.length);
		const words = new Set(anonymous.flatMap((line) => line.match(/[\w.-]+/g) ?? []));
		expect(names.size).toBeGreaterThan(100);
		expect([...names].filter((name) => !common.includes(name) && words.has(name))).toEqual([]);
		const [made, wanted] = [
			foretold(anonymous, (name) => name),
			foretold(plain, (name) => anonymiser.name(name)),
		];
		expect(made.all).toEqual(wanted.all);
		// Which of several nodes comes first is drawn in the order of their names, so a median may move a little.
		for (const [key, at] of made.medians)
			expect(Math.abs(at - (wanted.medians.get(key) ?? 0))).toBeLessThan(second);
	},
);

test('what is said in words names nothing either, and says the same', () => {
	const anonymiser = new Anonymiser();
	const pod = (name: string) => ({namespace: 'shop', name, uid: `uid-${name}`});
	const at = start;
	const message =
		'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50404Ki. Container till was using 5Gi, request is 0, has larger consumption of memory. ';
	const look = {node: 'alpha', seenAt: at, pods: [], problems: []};
	const controller = {
		...{...pod('cart-5d4f'), kind: 'ReplicaSet', desired: 2, ready: 1, claimTemplates: []},
		owner: {kind: 'Deployment', name: 'cart', uid: 'uid-cart'},
		template: {
			...{tolerations: [], nodeSelector: {'acme.com/rack': 'r7', cores: '16'}, requests: {cpu: 1, memory: 2}},
			...{claims: ['ledger'], otherRules: ['its scheduler volcano']},
		},
	};
	const settings = {
		flags: {},
		controlPlane: {
			controllerManager: {
				seenIn: 'pod kube-system/kube-controller-manager-alpha',
				flags: {'node-eviction-rate': '0.2'},
			},
		},
		list: [
			{name: 'node-eviction-rate', source: {detail: 'set in pod kube-system/kube-controller-manager-alpha'}},
			// A node that was not seen before.
			{name: 'kube-api-qps', source: {detail: 'default of v1.36, not set in kube-controller-manager-cp1'}},
		],
	};
	const header = {format: 1, program: 'v1', title: 'prod-eu', isPartial: false, settings};
	const problems = [
		{reason: 'PodsForbidden', message: 'User "jane" cannot list pods at https://10.1.2.3:6443 of alpha'},
	];
	const entries: readonly RecordingEntry[] = [
		{type: 'header', at, header},
		{type: 'pressure', at, news: {type: 'chosen', nodes: ['alpha'], problems: []}},
		{
			type: 'pressure',
			at,
			news: {type: 'looked', look: {...look, evicted: [{...pod('cart-5d4f-x'), at, message}]}},
		},
		{type: 'related', at, related: {...nothingRelated, controllers: new Map([['u', controller]])}},
		{type: 'related', at, related: nothingRelated},
		{type: 'problems', at, problems},
	];
	const text = linesOf(entries, entryEncoder(anonymiser.line)).join('');
	expect(text).not.toMatch(/alpha|cp1|cart|5d4f|shop|till|rack|acme|r7|ledger|volcano|jane|10\.1\.2|prod/);
	for (const said of [
		'was low on resource: memory',
		'default of v1.36',
		'100Mi',
		'"16"',
		'node-eviction-rate":"0.2"',
		'ReplicaSet',
		'cannot list pods',
	])
		expect(text).toContain(said);
	const decoder = entryDecoder();
	const read = text
		.trimEnd()
		.split('\n')
		.flatMap((line) => [...decoder.line(line)]);
	expect(read.map(({type}) => type)).toEqual([
		'header',
		'pressure',
		'pressure',
		'related',
		'related',
		'problems',
	]);
	expect(read[3]).toMatchObject({
		related: {controllers: new Map([[anonymiser.name('uid-cart-5d4f'), {ready: 1}]])},
	});
	expect(read[4]).toMatchObject({related: {controllers: new Map()}});
	expect(decoder.broken).toBe(0);
});
