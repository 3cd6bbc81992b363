import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

const sources = globSync('{src,cmd}/**/*.{ts,tsx}').filter((file) => !file.startsWith('src/demo/'));
const filesWith = (pattern: RegExp): readonly string[] =>
	sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

test('nothing but the lease of an elected leader is written to the API server', () => {
	// The one asks for it, the other is the way there, which takes no path but a lease's.
	expect(filesWith(/\bwriteLease\b/)).toEqual([
		'src/cluster/controlplane/leaseWriter.ts',
		'src/cluster/transport/transport.ts',
	]);
	expect(filesWith(/\bopenLease\b/)).toEqual([
		'cmd/shadow/shadowLeader.ts',
		'src/cluster/controlplane/leaseWriter.ts',
	]);
});

test('a verb that writes stands nowhere else, but where the user names who shall be told', () => {
	expect(filesWith(/['"`](POST|PUT|PATCH|DELETE)['"`]/)).toEqual([
		'src/cluster/controlplane/leaseWriter.ts',
		'src/cluster/transport/transport.ts',
		'src/shadow/notify/post.ts',
	]);
	expect(filesWith(/\bmethod:/)).toEqual(['src/cluster/transport/transport.ts', 'src/shadow/notify/post.ts']);
});

/** Files with a pattern that are not among those that may have it; one that is gone is missed by nobody. */
const besides = (pattern: RegExp, allowed: readonly string[]): readonly string[] =>
	filesWith(pattern).filter((file) => !allowed.includes(file));

test('it talks to nobody but the API server, the proxies to it, and whom the user names', () => {
	const modules = "node:(?:https?|http2|net|tls|dgram|dns[^']*)'";
	const ways = new RegExp(
		`^import (?!type).*from '(?:undici|${modules})|getBuiltinModule\\('${modules}|\\bfetch\\(`,
		'm',
	);
	// The last two make no connection: one takes names of status codes, the other the certificates of the system.
	const cluster = [
		'access/systemAuthorities',
		'transport/dispatcher',
		'transport/proxy',
		'transport/requestLog',
	];
	expect(
		besides(ways, [
			...cluster.map((name) => `src/cluster/${name}.ts`),
			'src/shadow/http/server.ts',
			'src/shadow/metrics/controllerMetrics.ts',
			'src/shadow/notify/post.ts',
		]),
	).toEqual([]);
});

test('it starts no program but credential plugins', () => {
	const ways = /^import (?!type).*child_process|worker_threads|\bcluster\.fork\(/m;
	expect(besides(ways, ['src/cluster/access/execPlugin.ts'])).toEqual([]);
});

test('it writes no file but those that SECURITY.md names', () => {
	const writes =
		/\b(?:writeFile|appendFile|createWriteStream|mkdir|mkdtemp|rename|copyFile|symlink|truncate|chmod|open)(?:Sync)?\b[^']*\} from 'node:fs/;
	expect(
		besides(writes, [
			'cmd/compileCache.ts',
			'cmd/args/completion/shim.ts',
			'cmd/output/failure.ts',
			'cmd/sources/learnedStore.ts',
			'src/recording/format/recordingFile.ts',
			'src/shadow/history/history.ts',
			'src/shadow/history/lineFile.ts',
		]),
	).toEqual([]);
});
