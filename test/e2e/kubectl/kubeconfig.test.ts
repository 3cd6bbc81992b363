import {spawnSync} from 'node:child_process';
import {delimiter, dirname, join} from 'node:path';
import type {KubeConfig} from '@kubernetes/client-node';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {loadKubeconfig} from '../../../src/cluster/access/kubeconfig.ts';
import {bareEnvironment, TemporaryFolder} from '../../support/testEnvironment.ts';
import {withoutEmpty} from '../../support/withoutEmpty.ts';

// Each draw starts kubectl, so a quick run draws fewer sets of files than a deep one.

const kubectl = 'kubectl';

/** Only a few names, so that files contradict each other. */
const name = fc.constantFrom('a', 'b');
const text = fc.constantFrom('x', 'y z', '"', 'ü');
/** A path in an entry: absolute, or relative to its file; REL is replaced by the file's index. */
const path = fc.constantFrom('/pki/f.pem', 'REL/f.pem', '../REL.pem', './REL');

const optionally = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
	fc.record(fields, {requiredKeys: []});

const cluster = optionally({
	server: fc.constantFrom('https://a:6443', 'http://b/k8s/c-1', 'https://c/k8s/'),
	'certificate-authority': path,
	'certificate-authority-data': fc.constantFrom('Y2E=', 'Y2EtMg=='),
	'insecure-skip-tls-verify': fc.boolean(),
	'tls-server-name': text,
	'proxy-url': fc.constantFrom('http://p:1', 'socks5://p'),
	'disable-compression': fc.boolean(),
	extensions: fc.constant([{name: 'client.authentication.k8s.io/exec', extension: {audience: 'me'}}]),
});
const exec = fc.record(
	{
		apiVersion: fc.constantFrom('client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'),
		command: fc.constantFrom('get-token', './REL/get-token', '/bin/get-token', 'REL/../get-token'),
		args: fc.array(text, {maxLength: 2}),
		env: fc.array(fc.record({name, value: text}), {maxLength: 2}),
		installHint: text,
		provideClusterInfo: fc.boolean(),
		interactiveMode: fc.constantFrom('Never', 'IfAvailable', 'Always'),
	},
	{requiredKeys: ['apiVersion', 'command', 'interactiveMode']},
);
const user = optionally({
	'client-certificate': path,
	'client-certificate-data': fc.constant('Y2VydA=='),
	'client-key': path,
	'client-key-data': fc.constant('a2V5'),
	token: text,
	tokenFile: path,
	'token-file': path,
	username: text,
	password: text,
	as: text,
	'as-uid': text,
	'as-groups': fc.array(text, {maxLength: 2}),
	'as-user-extra': fc.dictionary(name, fc.array(text, {maxLength: 2})),
	'auth-provider': fc.constant({name: 'oidc', config: {}}),
	exec,
});
const context = optionally({cluster: name, user: name, namespace: text});

/** Usually both names; sometimes one of them twice, which is an error. */
const named = <T>(entry: string, value: fc.Arbitrary<T>) => {
	const one = fc.record({name, [entry]: value});
	const unique = (minLength: number) =>
		fc.uniqueArray(one, {selector: (each) => each['name'], minLength, maxLength: 2});
	return fc.oneof(
		{weight: 12, arbitrary: unique(2)},
		{weight: 7, arbitrary: unique(0)},
		{weight: 1, arbitrary: fc.array(one, {maxLength: 2})},
	);
};

const kubeconfig = fc.record(
	{
		'current-context': fc.constantFrom('', 'a', 'a', 'b'),
		clusters: named('cluster', cluster),
		users: named('user', user),
		contexts: named('context', context),
	},
	{requiredKeys: ['clusters', 'users', 'contexts']},
);
const file = fc.oneof(
	{weight: 6, arbitrary: kubeconfig},
	{weight: 1, arbitrary: fc.constantFrom('', 'missing')},
);
const set = fc.record({
	files: fc.array(file, {minLength: 1, maxLength: 3}),
	/** KUBECONFIG by positions in the list; -1 is an empty entry. */
	order: fc.array(fc.integer({min: -1, max: 2}), {minLength: 1, maxLength: 4}),
	context: fc.option(name),
});

/** Writes the files, each into its own folder. */
function write(folder: TemporaryFolder, files: readonly (object | string)[]): readonly string[] {
	return files.map((content, index) => {
		const place = `folder-${index}/config`;
		if (content === 'missing') return join(folder.path, place);
		const body = typeof content === 'string' ? content : JSON.stringify(content);
		return folder.write(place, body.replaceAll('REL', `rel${index}`));
	});
}

/** The part for one context, by the rules of `--minify`. */
function minified(config: KubeConfig, contextName = config.currentContext) {
	const context = config.getContextObject(contextName);
	if (!context) throw new Error('there is no such context');
	const [cluster, user] = [config.getCluster(context.cluster ?? ''), config.getUser(context.user ?? '')];
	if (context.cluster && !cluster) throw new Error('there is no such cluster');
	if (context.user && !user) throw new Error('there is no such user');
	return withoutEmpty({contextName, context, cluster, user});
}

/** The same by kubectl. It prints paths as written, so they are resolved here relative to their file. */
async function byKubectl(
	KUBECONFIG: string,
	flags: readonly string[],
	files: readonly string[],
	folder: TemporaryFolder,
) {
	const args = ['config', 'view', '--minify', '--raw', '-o', 'json', ...flags];
	const {status, stdout} = spawnSync(kubectl, args, {env: {...process.env, KUBECONFIG}});
	if (status !== 0) throw new Error('kubectl refuses it');
	const view = JSON.parse(stdout.toString(), (_, value: unknown) => {
		const place = typeof value === 'string' ? /rel(\d)/.exec(value)?.[1] : undefined;
		return place === undefined ? value : join(dirname(files[Number(place)] ?? ''), String(value));
	}) as object;
	return minified(await loadKubeconfig(folder.write('view.json', view), bareEnvironment()));
}

const orRefused = <T>(outcome: Promise<T>): Promise<T | 'refused'> => outcome.catch(() => 'refused' as const);

const hasKubectl = spawnSync(kubectl, ['version', '--client']).status === 0;

test('any set of kubeconfig files is what kubectl makes of it', async ({skip}) => {
	if (!hasKubectl) skip('kubectl is not installed');
	let understood = 0;
	await fc.assert(
		fc.asyncProperty(set, async ({files, order, context}) => {
			using folder = new TemporaryFolder();
			const paths = write(folder, files);
			const KUBECONFIG = order.map((index) => paths[index] ?? '').join(delimiter);
			// Without any entry, kubectl reads the file in the home directory.
			fc.pre(KUBECONFIG !== '');
			const flags = context === null ? [] : ['--context', context];
			const environment = bareEnvironment({env: {KUBECONFIG}});
			const ours = orRefused(loadKubeconfig(undefined, environment).then((all) => minified(all, flags[1])));
			const theirs = await orRefused(byKubectl(KUBECONFIG, flags, paths, folder));
			expect(await ours).toEqual(theirs);
			if (theirs !== 'refused') understood += 1;
		}),
		{numRuns: Number(process.env['EVICTWATCH_KUBECTL_RUNS'] ?? 40)},
	);
	expect(understood).toBeGreaterThan(5);
});
