import {Readable} from 'node:stream';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parse, stringify} from 'yaml';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {listJson} from '../../src/print/json/json.ts';
import {nodes} from '../../src/print/tables/nodeKind.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {zones} from '../../src/print/tables/zoneKind.ts';
import {readDump} from '../../src/recording/dump/dump.ts';
import {UserError} from '../../src/text/userError.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {runsOf} from '../support/drawn.ts';

// For each kind of damage, a quick run draws a quarter of a deep run's cases.

const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

/** A healthy node, a silent one and a tainted one, each with its pod and lease. */
const items = ['well', 'silent', 'tainted'].flatMap((name, index) => [
	{
		kind: 'Node',
		apiVersion: 'v1',
		metadata: {
			name,
			uid: `uid-${name}`,
			creationTimestamp: time(0),
			labels: {'topology.kubernetes.io/zone': 'z'},
			managedFields: [{manager: 'm', time: time(880), fieldsV1: {'f:spec': {'f:taints': {}}}}],
		},
		spec:
			index === 2
				? {taints: [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: time(880)}]}
				: {},
		status: {
			conditions: [
				{
					type: 'Ready',
					status: index === 2 ? 'Unknown' : 'True',
					lastHeartbeatTime: time(700),
					lastTransitionTime: time(index === 2 ? 875 : 10),
				},
			],
		},
	},
	{
		kind: 'Lease',
		apiVersion: 'coordination.k8s.io/v1',
		metadata: {name, namespace: 'kube-node-lease', creationTimestamp: time(0)},
		spec: {renewTime: time([895, 860, 820][index] ?? 0), leaseDurationSeconds: 40, holderIdentity: name},
	},
	{
		kind: 'Pod',
		apiVersion: 'v1',
		metadata: {name: `pod-${name}`, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: time(0)},
		spec: {
			nodeName: name,
			tolerations: [
				{
					key: 'node.kubernetes.io/unreachable',
					operator: 'Exists',
					effect: 'NoExecute',
					tolerationSeconds: 300,
				},
			],
		},
		status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True', lastTransitionTime: time(20)}]},
	},
]);
const dump = {
	kind: 'List',
	apiVersion: 'v1',
	items: [
		...items,
		{
			kind: 'Lease',
			apiVersion: 'coordination.k8s.io/v1',
			metadata: {name: 'kube-controller-manager', namespace: 'kube-system', creationTimestamp: time(0)},
			spec: {renewTime: time(899), acquireTime: time(1), leaseDurationSeconds: 15, holderIdentity: 'cm'},
		},
	],
};

/** Reads a dump, forecasts from it, and formats the output. Only errors for users are caught. */
async function problemsOf(content: string | Buffer): Promise<readonly string[] | UserError> {
	try {
		const snapshot = await readDump(['-'], {stdin: Readable.from([content])});
		const forecaster = aForecaster(settingsFor('v1.36.3'), snapshot);
		const forecast = forecaster.forecast(snapshot.observedAt);
		JSON.stringify([
			listJson(nodes, forecast.nodes, forecast),
			listJson(pods, forecast.pods, forecast),
			listJson(zones, forecast.zones, forecast),
		]);
		for (const {namespace, name} of forecast.pods) {
			forecaster.explain({kind: 'pod', namespace, name}, snapshot.observedAt);
		}
		return snapshot.problems.map(({reason, message}) => `${reason}: ${message}`);
	} catch (error) {
		if (error instanceof UserError && error.hint !== '') return error;
		throw error;
	}
}

type Path = readonly (string | number)[];

/** The path of each value of a document, including nested ones. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
	if (typeof value !== 'object' || value === null) return [path];
	const entries: [string | number, unknown][] = Array.isArray(value)
		? value.map((one, index) => [index, one])
		: Object.entries(value);
	return [path, ...entries.flatMap(([key, one]) => pathsOf(one, [...path, key]))];
}

/** The document with one value replaced. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
	if (key === undefined) return by;
	if (Array.isArray(value)) return value.map((one, index) => (index === key ? replaced(one, rest, by) : one));
	// Damage to a parent may have removed it already.
	if (typeof value !== 'object' || value === null) return value;
	return {...value, [key]: replaced((value as Record<string, unknown>)[key], rest, by)};
}

const oddTexts = [
	'',
	'__proto__',
	'constructor',
	'True',
	'\u001b[2J',
	'9999-12-31T23:59:59Z',
	'2026-13-45T99:99:99Z',
];
const oddValue = fc.oneof(
	fc.jsonValue({maxDepth: 2}),
	fc.constantFrom<unknown>(...oddTexts, -1, 1e308, -0, 2 ** 53),
	fc
		.date({noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31')})
		.map((date) => date.toISOString()),
);
const damage = fc.array(fc.tuple(fc.constantFrom(...pathsOf(dump)), oddValue), {minLength: 1, maxLength: 4});
const damaged = damage.map((places) =>
	places.reduce<unknown>((document, [path, by]) => replaced(document, path, by), dump),
);

test('the dump itself is whole', async () => {
	expect(await problemsOf(JSON.stringify(dump))).toEqual([]);
});

test.for([2 ** 53, Number.MAX_SAFE_INTEGER, Number('9223372036854775807')])(
	'a pod that tolerates a taint for %d s, as the API allows, can be told of',
	async (tolerationSeconds) => {
		const tolerant = JSON.stringify(dump).replaceAll(':300}', `:${tolerationSeconds}}`);
		expect(await problemsOf(tolerant)).toEqual([]);
	},
);

test('values of any kind in any place give a forecast or a clear error', async () => {
	await fc.assert(
		fc.asyncProperty(damaged, async (document) => {
			await problemsOf(JSON.stringify(document) ?? 'null');
		}),
		{numRuns: runsOf(100, 400)},
	);
}, 600_000);

test('the same damage reads the same as YAML', async () => {
	await fc.assert(
		fc.asyncProperty(damaged, async (document) => {
			const yaml = stringify(document);
			// Documents that YAML cannot represent are not tested here.
			fc.pre(JSON.stringify(parse(yaml)) === JSON.stringify(document));
			const [one, other] = [await problemsOf(yaml), await problemsOf(JSON.stringify(document))];
			if (other instanceof UserError) expect(one).toBeInstanceOf(UserError);
			else expect(one).toEqual(other);
		}),
		{numRuns: runsOf(15, 50)},
	);
}, 60_000);

const unreadable = fc.oneof(
	fc.constantFrom<unknown>(null, 0, '', true),
	// An object of a kind that is read, without its identifying fields.
	fc.constantFrom('Node', 'Pod', 'Lease').map((kind) => ({kind, metadata: {}})),
	fc.constant({}),
);

test('each item that cannot be read is counted, and the others are read', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(fc.nat(), unreadable), {minLength: 1, maxLength: 8}),
			async (added) => {
				const broken = added.reduce<readonly unknown[]>(
					(before, [at, item]) => before.toSpliced(at % (before.length + 1), 0, item),
					dump.items,
				);
				const problems = await problemsOf(JSON.stringify({...dump, items: broken}));
				expect(problems).toHaveLength(1);
				const [message = ''] = problems as readonly string[];
				const counts = [...message.matchAll(/\((\d+)\)/g)].map(([, count]) => Number(count));
				expect(counts.reduce((sum, count) => sum + count, 0)).toBe(added.length);
			},
		),
		{numRuns: runsOf(25, 100)},
	);
});
