import {Ajv, type ValidateFunction} from 'ajv';
import {schemas} from '../../scripts/schemas.ts';

/** The published schemas, but with no field beyond those described. */
const validators: ReadonlyMap<string, ValidateFunction> = new Map(
	[...schemas({isStrict: true})].map(([file, text]) => [
		file.replace('.json', ''),
		// Types of TypeScript may be unions of scalars.
		new Ajv({allowUnionTypes: true, allErrors: true}).compile(JSON.parse(text)),
	]),
);

const byKind: Readonly<Record<string, string>> = {
	PodForecastList: 'pod-forecast-list',
	NodeForecastList: 'node-forecast-list',
	ZoneForecastList: 'zone-forecast-list',
	ExplanationList: 'explanation-list',
	PressureForecastList: 'pressure-forecast-list',
	PressureWhatIf: 'pressure-what-if',
	WhatIf: 'what-if',
	LossOutlook: 'loss-outlook',
	Rescue: 'rescue',
	SettingList: 'setting-list',
	SettingsCheck: 'settings-check',
};

/** What is wrong with a document by the schema of its kind, or by one that is named; nothing, as a rule. */
export function flawsOf(document: unknown, schema?: string): readonly string[] {
	const {kind = ''} = document as {readonly kind?: string};
	const name = schema ?? byKind[kind];
	const validate = validators.get(name ?? '');
	if (!validate) return [`there is no schema for ${name ?? `the kind "${kind}"`}`];
	if (validate(document)) return [];
	return (validate.errors ?? []).map(({instancePath, message, params}) =>
		`${instancePath} ${message} ${JSON.stringify(params)}`.slice(0, 300),
	);
}
