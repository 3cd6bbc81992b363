import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {linesOf, mechanisms, without} from './mechanisms.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../src/forecast', file), 'utf8');

test.for(mechanisms)('$name can be taken out, and its lines are counted', (mechanism) => {
	expect(without(mechanism, read(mechanism.file))).not.toBe(read(mechanism.file));
	for (const part of mechanism.parts) expect(linesOf(part, read)).toBeGreaterThan(2);
});

test('a text that is not there, or there twice, is not replaced', () => {
	const mechanism = {name: 'one', parts: [], file: 'a.ts', from: 'x', to: 'y'};
	expect(without(mechanism, 'axb')).toBe('ayb');
	expect(() => without(mechanism, 'ab')).toThrow('not once, but 0 times');
	expect(() => without(mechanism, 'axbx')).toThrow('not once, but 2 times');
});
