import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {jsonPathAsJsonTemplate, jsonPathTemplate} from '../../../src/print/template/jsonPath.ts';
import {TemplateError} from '../../../src/print/template/templateError.ts';

type Case = {
	readonly kind: 'jsonpath' | 'jsonpath-as-json';
	readonly template: string;
	readonly allowsMissingKeys: boolean;
	/** Null if Go rejected the template. */
	readonly output: string | null;
};

/** Templates, and the output of client-go v0.36.3 for one value. */
const {value, cases}: {readonly value: unknown; readonly cases: readonly Case[]} = JSON.parse(
	readFileSync(join(import.meta.dirname, 'jsonPath.json'), 'utf8'),
);

const makers = {jsonpath: jsonPathTemplate, 'jsonpath-as-json': jsonPathAsJsonTemplate} as const;

test.for(cases)('$kind $template is what Go makes of it', ({kind, template, allowsMissingKeys, output}) => {
	const print = () => makers[kind](template, {allowsMissingKeys})(value);
	if (output === null) expect(print).toThrow(TemplateError);
	else expect(print()).toBe(output);
});

test('numbers of any kind can be compared, where Go tells integers from floats', () => {
	const template = jsonPathTemplate('{.items[?(@.ratio>0.1)].metadata.name}', {allowsMissingKeys: true});
	expect(template(value)).toBe('cart-0 web-1');
});

test('what comes from the API cannot reach the terminal raw, what the user wrote can', () => {
	const evil = {name: '\x1b[31mred'};
	const options = {allowsMissingKeys: true};
	expect(jsonPathTemplate('{"\\t"}{.name}', options)(evil)).toBe('\t^[[31mred');
});

test('jsonpath-as-json lets no control and no invisible character out, and its values stay', () => {
	const zone = 'eu\u009b31m\u202e\u200b';
	const text = jsonPathAsJsonTemplate('{.zone}', {allowsMissingKeys: true})({zone});
	expect(text).toBe('[\n    "eu\\u009b31m\\u202e\\u200b"\n]\n');
	expect(JSON.parse(text)).toEqual([zone]);
});
