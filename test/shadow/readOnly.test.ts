import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {AskedRequest} from '../../src/cluster/transport/bufferedRequest.ts';
import type {Transport} from '../../src/cluster/transport/transport.ts';

const everything = globSync('{src,cmd}/**/*.{ts,tsx}');
const sources = everything.filter((file) => !file.startsWith('src/demo/'));
const filesWith = (pattern: RegExp): readonly string[] =>
	sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();

test('no verb but GET stands anywhere, and one place sends it', () => {
	const verbs = /['"`](POST|PUT|PATCH|DELETE|CONNECT)['"`]/;
	// The demo's server answers a client that asks what it may do: that is a POST.
	expect(everything.filter((file) => verbs.test(readFileSync(file, 'utf8')))).toEqual([
		'src/demo/apiserver/apiServer.ts',
	]);
	const methods = filesWith(/\bmethod:/).flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/\bmethod:\s*([^,;\n]+)/g)].map(
			([, value]) => `${file} ${value}`,
		),
	);
	// The type of a request, and the request.
	expect(methods).toEqual([
		"src/cluster/transport/bufferedRequest.ts 'GET'",
		"src/cluster/transport/transport.ts 'GET'",
	]);
});

/** The methods of the transport that take a path: its possible requests. */
type Asking = {
	[Name in keyof Transport]: Transport[Name] extends (...all: infer Given) => Promise<unknown>
		? Given extends [path: string, ...unknown[]]
			? Name
			: never
		: never;
}[keyof Transport];

test('the types know no way to write', () => {
	const read: AskedRequest = {path: '/', method: 'GET'};
	// @ts-expect-error: no other method.
	const write: AskedRequest = {path: '/', method: 'PUT'};
	// @ts-expect-error: nothing is sent along.
	const sent: AskedRequest = {path: '/', method: 'GET', body: '{}'};
	// @ts-expect-error: no connection is taken over, as exec and attach would.
	const upgraded: AskedRequest = {path: '/', method: 'GET', upgrade: 'websocket'};
	expect([read, write, sent, upgraded]).toHaveLength(4);
	// Get and list as a whole, watch as a stream. One more or one less name here does not compile.
	const asking: Readonly<Record<Asking, true>> = {json: true, bytes: true, stream: true};
	expect(Object.keys(asking)).toHaveLength(3);
});

/** Files with a pattern that are not allowed to have it; allowed files may be missing. */
const besides = (pattern: RegExp, allowed: readonly string[]): readonly string[] =>
	filesWith(pattern).filter((file) => !allowed.includes(file));

test('it talks to nobody but the API server, the proxies to it, and whom the user names', () => {
	const modules = "node:(?:https?|http2|net|tls|dgram|dns[^']*)'";
	const ways = new RegExp(
		`^import (?!type).*from '(?:undici|${modules})|getBuiltinModule\\('${modules}|\\bfetch\\(`,
		'm',
	);
	// Certificates and the request log open no connection: they use the system's certificates, and names of status codes.
	const cluster = ['access/certificates', 'transport/dispatcher', 'transport/proxy', 'transport/requestLog'];
	// Kubelets are reached at addresses, and only if the user names their authority.
	cluster.push('kubelet/kubelets');
	expect(
		besides(ways, [
			...cluster.map((name) => `src/cluster/${name}.ts`),
			'src/shadow/http/server.ts',
			'src/shadow/metrics/controllerMetrics.ts',
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
			'cmd/completion/shim.ts',
			'cmd/output/failure.ts',
			'src/recording/format/recordingFile.ts',
		]),
	).toEqual([]);
});

test("of client-node's KubeConfig nothing is called that asks a server, or starts a program", () => {
	expect(filesWith(/^import (?!type).*'@kubernetes\/client-node/m)).toEqual([
		'src/cluster/access/kubeconfig.ts',
	]);
	const users = filesWith(/^import .*\bKubeConfig\b.*'@kubernetes\/client-node/m);
	expect(users).toContain('src/cluster/access/corrections.ts');
	const others =
		/\.(makeApiClient|apply\w+|loadFromDefault|loadFromFile|addAuthenticator|createDispatcherOptions)\b/;
	expect(users.filter((file) => others.test(readFileSync(file, 'utf8')))).toEqual([]);
});
