import {formatJson} from './json.ts';

/** A value as `-o json` and `-o yaml` print it. The library for YAML is loaded where it is asked for. */
export async function formatStructured(value: unknown, output: 'json' | 'yaml'): Promise<string> {
	if (output === 'json') return formatJson(value);
	const {formatYaml} = await import('./yaml.ts');
	return formatYaml(value);
}
