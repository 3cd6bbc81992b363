import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

// A quirk that is ported on purpose has a @quirk line and a test of that name; a ported function names its source. This test
// keeps both in step with the code.

type Line = {readonly file: string; readonly text: string};

const linesWith = (tag: string, pattern: string): Line[] =>
	globSync(pattern).flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(new RegExp(`@${tag} (.*?)(?: \\*/)?$`, 'gm'))].map(
			([, text = '']) => ({file, text}),
		),
	);

/** The names of tests: string literals, one per line. */
const testNames = globSync('test/**/*.test.ts')
	.filter((file) => file !== 'test/quirks.test.ts')
	.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(['"`])(.{10,}?)\1(?=,|\)|$)/gm)])
	.map(([, , name = '']) => name);

test.for(linesWith('quirk', 'src/**/*.ts'))('$file: a test is named "$text"', ({text}) => {
	expect(testNames.some((name) => name.includes(text))).toBe(true);
});

test('no two quirks have the same name', () => {
	const texts = linesWith('quirk', 'src/**/*.ts').map(({text}) => text);
	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

const upstream =
	/^(kubernetes v1\.\d+\.\d+|[a-z\d]+(\.[a-z\d]+)+\/\S+( v\S+)?|go1\.\d+) \S+\.(go|proto)( \w+)?(, .+)?$/;
const upstreamFunction = /^(kubernetes v1\.\d+\.\d+|[a-z\d]+(\.[a-z\d]+)+\/\S+ v\S+|go1\.\d+) \S+\.go \w+$/;

test.for(linesWith('upstream', '{src,cmd}/**/*.ts'))('$file: $text names a version and a file', ({text}) => {
	expect(text).toMatch(upstream);
});

test.for(linesWith('upstream', 'src/core/**/*.ts'))('$file: $text names a function', ({text}) => {
	expect(text).toMatch(upstreamFunction);
});
