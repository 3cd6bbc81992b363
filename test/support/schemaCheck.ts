import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv, type ValidateFunction} from 'ajv';

const folder = join(import.meta.dirname, '../../docs/schema');
// One instance for all, because each would compile the meta-schema again. TypeScript types may be unions of scalars.
const ajv = new Ajv({allowUnionTypes: true, allErrors: true});
const validators = new Map<string, ValidateFunction>();

/** A published schema that allows no additional fields; undefined if there is none of that name. */
function validatorOf(name: string): ValidateFunction | undefined {
	const file = join(folder, `${name}.json`);
	const known = validators.get(name);
	if (known || !existsSync(file)) return known;
	const schema = JSON.parse(readFileSync(file, 'utf8'), withoutMore);
	const made = ajv.compile(schema);
	validators.set(name, made);
	return made;
}

/** Closes the schema of an object that names its fields. */
function withoutMore(_: string, value: unknown): unknown {
	const hasFields = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
	return hasFields ? {...value, additionalProperties: false} : value;
}

const byKind: Readonly<Record<string, string>> = {
	PodForecastList: 'pod-forecast-list',
	NodeForecastList: 'node-forecast-list',
	ZoneForecastList: 'zone-forecast-list',
	ClusterForecastList: 'cluster-forecast-list',
	PodDeletionList: 'pod-deletion-list',
	ExplanationList: 'explanation-list',
	PressureForecastList: 'pressure-forecast-list',
	WhatIf: 'what-if',
	LossOutlook: 'loss-outlook',
	SupposedLossList: 'supposed-loss-list',
	Drain: 'drain',
	Rescue: 'rescue',
	Status: 'status',
	WorkloadImpactList: 'workload-impact-list',
	SettingList: 'setting-list',
	SettingsCheck: 'settings-check',
};

/** The schema violations of a document, by the schema of its kind or by a named one. */
export function flawsOf(document: unknown, schema?: string): readonly string[] {
	const {kind = ''} = document as {readonly kind?: string};
	const name = schema ?? byKind[kind];
	const validate = validatorOf(name ?? '');
	if (!validate) return [`there is no schema for ${name ?? `the kind "${kind}"`}`];
	if (validate(document)) return [];
	return (validate.errors ?? []).map(({instancePath, message, params}) =>
		`${instancePath} ${message} ${JSON.stringify(params)}`.slice(0, 300),
	);
}
