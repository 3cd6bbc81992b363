import {join} from 'node:path';
import {createGenerator, DEFAULT_CONFIG, type Schema} from 'ts-json-schema-generator';
import {writeFolder} from './writeFolder.ts';

const root = join(import.meta.dirname, '..');

/** The folder of the published schemas. */
export const schemaFolder = join(root, 'docs', 'schema');

/** The types of the program's outputs, by the names of their schemas. */
const roots: Readonly<Record<string, string>> = {
	'pod-forecast-list': 'PodForecastListJson',
	'pod-forecast': 'PodForecastJson',
	'node-forecast-list': 'NodeForecastListJson',
	'node-forecast': 'NodeForecastJson',
	'zone-forecast-list': 'ZoneForecastListJson',
	'zone-forecast': 'ZoneForecastJson',
	'cluster-forecast-list': 'ClusterForecastListJson',
	'cluster-forecast': 'ClusterForecastJson',
	'pod-deletion-list': 'PodDeletionListJson',
	'pod-deletion': 'PodDeletionJson',
	'explanation-list': 'ExplanationListJson',
	'what-if': 'WhatIfJson',
	'workload-impact-list': 'WorkloadImpactListJson',
	status: 'StatusJson',
	'loss-outlook': 'LossOutlookJson',
	'supposed-loss-list': 'SupposedLossListJson',
	'supposed-loss': 'SupposedLossJson',
	drain: 'DrainJson',
	rescue: 'RescueJson',
	'pressure-forecast-list': 'PressureForecastListJson',
	'setting-list': 'SettingListJson',
	'settings-check': 'SettingsCheckJson',
	'outage-report': 'OutageReportJson',
	divergence: 'DivergenceJson',
	version: 'VersionJson',
	watched: 'WatchedJson',
	'watch-event': 'WatchEventJson',
};

const config = {
	...DEFAULT_CONFIG,
	path: join(root, 'src/{print/contract/*,report/json}.ts'),
	tsconfig: join(root, 'tsconfig.json'),
	skipTypeCheck: true,
};

/** Generates the JSON Schema of each output from the contract's types, by file name. The schemas allow additional fields. */
export function schemas(): ReadonlyMap<string, string> {
	const generator = createGenerator({...config, additionalProperties: true});
	const {definitions: forms = {}} = generator.createSchema('RangeJson');
	return new Map(
		Object.entries(roots).map(([name, type]) => {
			const schema = generator.createSchema(type);
			return [`${name}.json`, `${JSON.stringify(published(name, schema, forms), inOrder, '\t')}\n`];
		}),
	);
}

/** Values of an enum in order: in which a compiler has met them depends on imports. */
const inOrder = (key: string, value: unknown): unknown =>
	key === 'enum' && Array.isArray(value) ? value.toSorted() : value;

/** @param forms what ranges and instants are serialized to */
function published(name: string, {$schema, ...schema}: Schema, forms: Schema['definitions']) {
	const {Range: range, Instant: instant, ...others} = schema.definitions ?? {};
	const definitions = range || instant ? {...others, ...forms} : others;
	return {
		$schema,
		$id: `https://evictwatch.dev/schema/v1/${name}.json`,
		...asSerialized({...schema, definitions}),
	};
}

/** Types of forecasts, as `jsonOf` writes them. */
const serialized: Readonly<Record<string, string>> = {Range: 'RangeJson', Instant: 'TimestampJson'};

const asSerialized = (schema: object): object =>
	JSON.parse(
		JSON.stringify(schema).replaceAll(
			/"#\/definitions\/(Range|Instant)"/g,
			(_, type: string) => `"#/definitions/${serialized[type]}"`,
		),
	);

if (import.meta.main) await writeFolder(schemaFolder, schemas());
