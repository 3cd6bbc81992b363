import {spawnSync} from 'node:child_process';
import {delimiter, join} from 'node:path';
import {KubeConfig} from '@kubernetes/client-node';
import {expect, test} from 'vitest';
import {readNamedFile} from '../../../src/cluster/access/certificates.ts';
import {mergeFirstWins} from '../../../src/cluster/access/corrections.ts';
import {loadKubeconfig} from '../../../src/cluster/access/kubeconfig.ts';
import type {KubeconfigUser} from '../../../src/cluster/access/kubeconfigEntries.ts';
import {bareEnvironment, TemporaryFolder} from '../../support/testEnvironment.ts';
import {withoutEmpty} from '../../support/withoutEmpty.ts';

const kubectl = 'kubectl';

const cluster = (name: string, fields: object) => ({name, cluster: fields});
const user = (name: string, fields: object) => ({name, user: fields});
const context = (name: string, fields: object) => ({name, context: fields});

const exec = {
	apiVersion: 'client.authentication.k8s.io/v1',
	command: 'get-token',
	args: ['--for', 'me'],
	env: [{name: 'REGION', value: 'eu'}],
	installHint: 'install get-token',
	provideClusterInfo: true,
	interactiveMode: 'IfAvailable',
};
const first = {
	'current-context': 'dev',
	clusters: [cluster('dev', {server: 'https://first:6443', 'certificate-authority': '/pki/ca.crt'})],
	users: [user('me', {token: 'first'}), user('plugin', {exec})],
	contexts: [context('dev', {cluster: 'dev', user: 'me'})],
};
const second = {
	'current-context': 'prod',
	clusters: [
		cluster('dev', {server: 'https://second:6443', 'tls-server-name': 'second'}),
		cluster('prod', {
			server: 'https://prod:6443/k8s/c1',
			'insecure-skip-tls-verify': true,
			'proxy-url': 'http://p:1',
		}),
	],
	users: [
		user('me', {username: 'second', password: 'x'}),
		user('cert', {
			'client-certificate': '/pki/c.crt',
			'client-key-data': 'aGk=',
			'as-groups': ['g'],
			as: 'boss',
		}),
	],
	contexts: [
		context('dev', {cluster: 'prod', user: 'cert', namespace: 'second'}),
		context('prod', {cluster: 'prod', user: 'cert', namespace: 'shop'}),
		context('plugin', {cluster: 'dev', user: 'plugin'}),
	],
};
const withoutContext = {...second, 'current-context': ''};

/** The loader's result in the form of `kubectl config view --minify --raw -o json`. */
function minified(kubeconfig: KubeConfig, contextName = kubeconfig.currentContext) {
	const chosen = kubeconfig.getContextObject(contextName);
	return withoutEmpty({
		contextName,
		namespace: chosen?.namespace,
		cluster: kubeconfig.getCluster(chosen?.cluster ?? ''),
		user: kubeconfig.getUser(chosen?.user ?? ''),
	});
}

type View = {clusters: [{cluster: object}]; users: [{user: object}]; contexts: [{context: object}]};

/** kubectl's own output, parsed by the loader. */
async function kubectlView(kubeconfig: string, args: readonly string[], folder: TemporaryFolder) {
	const command = ['config', 'view', '--minify', '--raw', '-o', 'json', ...args];
	const {stdout, stderr} = spawnSync(kubectl, command, {env: {...process.env, KUBECONFIG: kubeconfig}});
	const view = JSON.parse(stdout.toString() || JSON.stringify({error: stderr.toString()})) as View;
	const file = folder.write('view.json', view);
	return minified(await loadKubeconfig(file, bareEnvironment()));
}

const hasKubectl = spawnSync(kubectl, ['version', '--client']).status === 0;

test.for([
	{name: 'one file', files: [first], args: []},
	{name: 'the first file wins a name and the current context', files: [first, second], args: []},
	{name: 'the other order gives the other winner', files: [second, first], args: []},
	{name: 'a file without a current context leaves it to the next', files: [withoutContext, first], args: []},
	{name: 'a context asked for by flag', files: [first, second], args: ['--context', 'prod']},
	{name: 'a user with a plugin', files: [first, second], args: ['--context', 'plugin']},
	{name: 'missing files are passed over', files: [undefined, second, undefined], args: []},
])('the kubeconfig is what kubectl makes of it: $name', async ({files, args}, {skip}) => {
	if (!hasKubectl) skip('kubectl is not installed');
	using folder = new TemporaryFolder();
	const paths = files.map((content, index) =>
		content ? folder.write(`config-${index}`, content) : join(folder.path, `missing-${index}`),
	);
	const KUBECONFIG = paths.join(delimiter);
	const ours = await loadKubeconfig(undefined, bareEnvironment({env: {KUBECONFIG}}));
	expect(minified(ours, args[1])).toEqual(await kubectlView(KUBECONFIG, args, folder));
});

test('relative paths are relative to their file, a bare plugin name is left to PATH', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('sub/config', {
		clusters: [cluster('c', {server: 'https://a', 'certificate-authority': '../ca.crt'})],
		users: [
			user('files', {'client-certificate': 'c.crt', 'client-key': './c.key', tokenFile: 'token'}),
			user('near', {exec: {...exec, command: 'bin/get-token'}}),
			user('far', {exec}),
		],
	});
	const config = await loadKubeconfig(file, bareEnvironment());
	const found = (name: string): KubeconfigUser | null => config.getUser(name);
	const sub = join(folder.path, 'sub');
	expect(config.getCluster('c')).toEqual({
		name: 'c',
		server: 'https://a',
		caFile: join(folder.path, 'ca.crt'),
		skipTLSVerify: false,
	});
	expect(found('files')).toEqual({
		name: 'files',
		certFile: join(sub, 'c.crt'),
		keyFile: join(sub, 'c.key'),
		tokenFile: join(sub, 'token'),
	});
	expect(found('near')?.exec?.command).toBe(join(sub, 'bin/get-token'));
	expect(found('far')?.exec?.command).toBe('get-token');
});

test('what KubeConfig would leave out or change is as it is written', async () => {
	using folder = new TemporaryFolder();
	const file = folder.write('config', {
		clusters: [
			cluster('slash', {server: 'https://a/k8s/', extensions: [{name: 'other', extension: [7]}]}),
			cluster('empty', {}),
		],
		users: [user('odd', {'token-file': '/nonexistent/token', token: 't'})],
		contexts: [context('partial', {user: 'odd', namespace: 'shop'})],
	});
	const config = await loadKubeconfig(file, bareEnvironment());
	expect(config.clusters.map(({server}) => server)).toEqual(['https://a/k8s/', '']);
	expect(config.getUser('odd')?.token).toBe('t');
	expect(config.getContextObject('partial')).toEqual({
		name: 'partial',
		cluster: '',
		user: 'odd',
		namespace: 'shop',
	});
});

test('without KUBECONFIG the home directory is looked into, and may be empty', async () => {
	using folder = new TemporaryFolder();
	const environment = bareEnvironment({homeDirectory: folder.path});
	expect((await loadKubeconfig(undefined, environment)).currentContext).toBe('');
	folder.write('.kube/config', first);
	expect((await loadKubeconfig(undefined, environment)).currentContext).toBe('dev');
});

test.for([
	{
		name: 'a file asked for by flag must exist',
		content: undefined,
		want: /^cannot read the kubeconfig .*: no such file or directory$/,
	},
	{
		name: 'what contains itself is refused',
		content: 'users: [&me {name: me, user: *me}]',
		want: /config is not valid YAML/,
	},
	{
		name: 'YAML that is nested without end is refused by its line',
		content: `users:\n${'- '.repeat(1_000_000)}`,
		want: /config is not valid YAML: it is nested deeper than any object of Kubernetes, at line 2$/,
	},
	{name: 'broken YAML names its file', content: 'a: [', want: /config is not valid YAML/},
	{
		name: 'two entries of one name are refused, as by kubectl',
		content: {users: [user('x', {}), user('x', {})]},
		want: /has two entries named "x"/,
	},
	{name: 'a list is no kubeconfig', content: '[]', want: /config is not a map of fields/},
	{
		name: 'a token of digits without quotes is refused, as by kubectl',
		content: 'users: [{name: me, user: {token: 123}}]',
		want: /token of user "me" must be text: put it in quotes/,
	},
	{
		name: 'so is an argument of a plugin',
		content: 'users: [{name: me, user: {exec: {command: a, args: [--port, 80]}}}]',
		want: /args of user "me" must be text: put it in quotes/,
	},
	{
		name: 'so is a value for a plugin',
		content: 'users: [{name: me, user: {exec: {command: a, env: [{name: A, value: 1}]}}}]',
		want: /value of user "me" must be text: put it in quotes/,
	},
	{
		name: 'a switch in quotes is refused, as by kubectl',
		content: 'clusters: [{name: a, cluster: {insecure-skip-tls-verify: "true"}}]',
		want: /insecure-skip-tls-verify of cluster "a" must be true or false/,
	},
])('$name', async ({content, want}) => {
	using folder = new TemporaryFolder();
	const file = content === undefined ? join(folder.path, 'config') : folder.write('config', content);
	await expect(loadKubeconfig(file, bareEnvironment())).rejects.toThrow(want);
});

test('a kubeconfig, and a file that it names, have an end', async () => {
	await expect(loadKubeconfig('/dev/zero', bareEnvironment())).rejects.toThrow(
		'cannot read the kubeconfig /dev/zero: it has more than 10 MiB',
	);
	await expect(readNamedFile('/dev/zero', 'token')).rejects.toThrow(
		'cannot read the token in /dev/zero: it has more than 1 MiB',
	);
});

test.for(['', 'null', '{}', 'clusters: 7', 'users: [null]', 'contexts: {a: b}'])(
	'a kubeconfig of nonsense (%s) names no context',
	async (content) => {
		using folder = new TemporaryFolder();
		const {currentContext} = await loadKubeconfig(folder.write('config', content), bareEnvironment());
		expect(currentContext).toBe('');
	},
);

test('a file of the same text is parsed once, and each load has a configuration of its own, with paths from its folder', async () => {
	const text = JSON.stringify({
		...first,
		clusters: [cluster('dev', {server: 'https://first:6443', 'certificate-authority': 'ca.crt'})],
	});
	const loaded = async () => {
		const folder = new TemporaryFolder();
		const file = folder.write('config', text);
		const config = await loadKubeconfig(file, bareEnvironment());
		return {config, ca: join(file, '..', 'ca.crt')};
	};
	const [one, other] = [await loaded(), await loaded()];
	one.config.users.length = 0;
	expect(one.config.getCluster('dev')?.caFile).toBe(one.ca);
	expect(other.config.getCluster('dev')?.caFile).toBe(other.ca);
	expect(other.config.getUser('me')?.token).toBe('first');
});

test('of many contexts each is read about as often as of few', () => {
	const readsOf = (size: number) => {
		let reads = 0;
		const [config, next] = [new KubeConfig(), new KubeConfig()];
		next.contexts = Array.from({length: size}, (_, index) => ({
			get name() {
				reads += 1;
				return `c${index}`;
			},
			cluster: 'k',
			user: 'u',
		}));
		mergeFirstWins(config, next);
		mergeFirstWins(config, next);
		expect(config.contexts).toHaveLength(size);
		return reads / size;
	};
	expect(readsOf(400)).toBeLessThan(2 * readsOf(100));
});
