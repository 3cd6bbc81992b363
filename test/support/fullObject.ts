import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const models = join(import.meta.dirname, '../../node_modules/@kubernetes/client-node/dist/gen/models');

type Attribute = {readonly baseName: string; readonly type: string};

/** The fields of an API type, from the table that the client generates from OpenAPI. */
function attributesOf(type: string): readonly Attribute[] {
	const source = readFileSync(join(models, `${type}.js`), 'utf8');
	const [, table = '[]'] = /attributeTypeMap = (\[[\s\S]*?\n\]|\[\]);/.exec(source) ?? [];
	return JSON.parse(table) as Attribute[];
}

/** Types that contain themselves. */
const recursive = new Set(['V1JSONSchemaProps']);

/**
 * An object of an API type with every field that the type has; lists and maps have two items. `textOf` returns the text for
 * a path such as `spec.containers[0].env[1].value`.
 */
export function fullObject(type: string, textOf: (path: string) => string, path = ''): unknown {
	const at = (name: string) => (path === '' ? name : `${path}.${name}`);
	const [, item] = /^(?:Array|Set)<(.+)>$/.exec(type) ?? [];
	if (item !== undefined) return [0, 1].map((index) => fullObject(item, textOf, `${path}[${index}]`));
	const [, value] = /^\{ \[key: string\]: (.+); \}$/.exec(type) ?? [];
	if (value !== undefined)
		return Object.fromEntries(
			[0, 1].map((index) => [textOf(`${path}{${index}}`), fullObject(value, textOf, at(String(index)))]),
		);
	switch (type) {
		case 'string':
		case 'any':
		case 'object':
		case 'IntOrString':
			return textOf(path);
		case 'number':
			return 7;
		case 'boolean':
			return true;
		case 'Date':
		case 'V1MicroTime':
			return '2026-01-01T00:00:00Z';
	}
	if (recursive.has(type)) return {};
	return Object.fromEntries(
		attributesOf(type).map(({baseName, type: inner}) => [baseName, fullObject(inner, textOf, at(baseName))]),
	);
}
