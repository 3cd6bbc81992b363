import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {formatKyaml} from '../../src/print/json/kyaml.ts';

/** Values, and the output of Kubernetes' own encoder (sigs.k8s.io/yaml v1.6.0) for each. */
const pairs: readonly {readonly value: unknown; readonly kyaml: string}[] = JSON.parse(
	readFileSync(join(import.meta.dirname, 'kyaml.json'), 'utf8'),
);

test('KYAML is what the encoder of Kubernetes writes', () => {
	expect(pairs.length).toBeGreaterThan(50);
	for (const {value, kyaml} of pairs) expect(formatKyaml(value)).toBe(kyaml);
});

test('a reader of YAML takes it for the same value', () => {
	for (const {value} of pairs) {
		const [document] = parseAllDocuments(formatKyaml(value), {version: '1.1'});
		expect(document?.toJS()).toEqual(value);
	}
});
