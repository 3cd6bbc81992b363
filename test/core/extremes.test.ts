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

/** Whether a source passes a list to Math.min or Math.max as their arguments: a spread before the call's own parenthesis ends. */
function spreadsList(source: string): boolean {
	return [...source.matchAll(/\bMath\.(?:min|max)\(/g)].some(({0: call, index}) => {
		let depth = 0;
		for (const [part] of source.slice(index + call.length).matchAll(/\.{3}|[([{}\])]/g)) {
			if (part === '...' && depth === 0) return true;
			if (part !== '...') depth += '([{'.includes(part) ? 1 : -1;
			if (depth < 0) return false;
		}
		return false;
	});
}

test.for([
	['Math.max(...list)', true],
	['Math.max(0, f(g(x)), ...list)', true],
	['Math.max(0, Math.min(x), ...list)', true],
	['Math.min(f({...x}), y), ...list', false],
] as const)('%s passes a list as arguments: %s', ([source, is]) => {
	expect(spreadsList(source)).toBe(is);
});

test('no list is passed to Math.min or Math.max', () => {
	const files = globSync('{src,cmd}/**/*.{ts,tsx}').filter((file) => !file.endsWith('extremes.ts'));
	expect(files.filter((file) => spreadsList(readFileSync(file, 'utf8')))).toEqual([]);
});
