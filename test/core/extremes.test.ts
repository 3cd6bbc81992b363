import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {maxOf, minOf} from '../../src/core/collections/extremes.ts';

test('the least and the greatest of more values than a call takes arguments', () => {
	const values = Array.from({length: 500_000}, (_, index) => index);
	expect(minOf(values)).toBe(0);
	expect(maxOf(values)).toBe(499_999);
	expect(minOf(values, -1)).toBe(-1);
	expect(maxOf([], 7)).toBe(7);
});

test('no list is passed to Math.min or Math.max', () => {
	const spread = /Math\.(?:min|max)\((?:[^()]|\([^()]*\))*\.\.\./;
	const files = globSync('{src,cmd}/**/*.{ts,tsx}').filter((file) => !file.endsWith('extremes.ts'));
	expect(files.filter((file) => spread.test(readFileSync(file, 'utf8')))).toEqual([]);
});
