import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

const sources = globSync('{src,cmd}/**/*.{ts,tsx}').filter((file) => !file.startsWith('src/demo/'));
const filesWith = (pattern: RegExp): readonly string[] =>
	sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

test('nothing but the lease of an elected leader is written to the API server', () => {
	// The one asks for it, the other is the way there, which takes no path but a lease's.
	expect(filesWith(/\bwriteLease\b/)).toEqual(['src/cluster/leaseWriter.ts', 'src/cluster/transport.ts']);
	expect(filesWith(/\bopenLease\b/)).toEqual(['cmd/shadowLeader.ts', 'src/cluster/leaseWriter.ts']);
});

test('a verb that writes stands nowhere else, but where the user names who shall be told', () => {
	expect(filesWith(/['"`](POST|PUT|PATCH|DELETE)['"`]/)).toEqual([
		'src/cluster/leaseWriter.ts',
		'src/cluster/transport.ts',
		'src/shadow/notify/post.ts',
	]);
	expect(filesWith(/\bmethod:/)).toEqual(['src/cluster/transport.ts', 'src/shadow/notify/post.ts']);
});
