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
	rescue: 'RescueJson',
	'pressure-forecast-list': 'PressureForecastListJson',
	'pressure-what-if': 'PressureWhatIfJson',
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
	path: join(root, 'src/print/contract/*.ts'),
	tsconfig: join(root, 'tsconfig.json'),
	skipTypeCheck: true,
};

/** Generates the JSON Schema of each output from the contract's types, by file name. The schemas allow additional fields. */
export function schemas(): ReadonlyMap<string, string> {
	const generator = createGenerator({...config, additionalProperties: true});
	return new Map(
		Object.entries(roots).map(([name, type]) => {
			const schema = generator.createSchema(type);
			return [`${name}.json`, `${JSON.stringify(published(name, schema), null, '\t')}\n`];
		}),
	);
}

const published = (name: string, {$schema, ...schema}: Schema) => ({
	$schema,
	$id: `https://evictwatch.dev/schema/v1/${name}.json`,
	...schema,
});

if (import.meta.main) await writeFolder(schemaFolder, schemas());
