import {readFile} from 'node:fs/promises';
import {dirname, resolve as resolvePath, sep} from 'node:path';
import {parse} from 'yaml';
import type {Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser} from './kubeconfig.ts';
import {entriesOf, type Fields, fieldsOf, textMapOf, textOf} from './rawJson.ts';
import {messageOf, UserError} from './userError.ts';

/** A part of a kubeconfig before it is read: any field may be there. */
type Section = Readonly<Record<string, unknown>>;

/**
 * Reads one kubeconfig file. Relative paths in it are relative to it, and come out absolute.
 *
 * @throws UserError where it cannot be read or understood; the cause is the system's error.
 */
export async function readKubeconfigFile(file: string): Promise<Kubeconfig> {
	const text = await readFile(file, 'utf8').catch((error: unknown) => {
		throw new UserError(
			`cannot read the kubeconfig ${file}: ${messageOf(error)}`,
			'name an existing file with --kubeconfig or KUBECONFIG',
			{cause: error},
		);
	});
	const config = fieldsOf<Section>(parseYaml(text, file));
	const resolve = (path: unknown) => absolutePath(textOf(path), dirname(file));
	const read = <T>(list: string, entry: string, decode: (section: Fields<Section>) => T) =>
		namedEntries(config[list], file).map(
			([name, value]) => [name, decode(fieldsOf<Section>(value[entry]))] as const,
		);
	return {
		currentContext: textOf(config['current-context']),
		clusters: new Map(read('clusters', 'cluster', (section) => decodeCluster(section, resolve))),
		users: new Map(read('users', 'user', (section) => decodeUser(section, resolve))),
		contexts: new Map(read('contexts', 'context', decodeContext)),
	};
}

function parseYaml(text: string, file: string): unknown {
	try {
		return parse(text);
	} catch (error) {
		throw new UserError(
			`the kubeconfig ${file} is not valid YAML: ${messageOf(error)}`,
			`correct it; this shows what kubectl makes of it: kubectl config view --kubeconfig ${file}`,
		);
	}
}

function namedEntries(list: unknown, file: string): [string, Fields<Section>][] {
	const entries = entriesOf(list).map((value): [string, Fields<Section>] => {
		const entry = fieldsOf<Section>(value);
		return [textOf(entry['name']), entry];
	});
	const names = new Set<string>();
	for (const [name] of entries) {
		if (names.has(name)) {
			throw new UserError(
				`the kubeconfig ${file} has two entries named "${name}" in one list`,
				'rename or remove one of them',
			);
		}
		names.add(name);
	}
	return entries;
}

const absolutePath = (path: string, directory: string) => (path === '' ? '' : resolvePath(directory, path));

function decodeCluster(section: Fields<Section>, resolve: (path: unknown) => string): KubeconfigCluster {
	return {
		server: textOf(section['server']),
		certificateAuthority: resolve(section['certificate-authority']),
		certificateAuthorityData: textOf(section['certificate-authority-data']),
		insecureSkipTlsVerify: section['insecure-skip-tls-verify'] === true,
		tlsServerName: textOf(section['tls-server-name']),
		proxyUrl: textOf(section['proxy-url']),
		disableCompression: section['disable-compression'] === true,
		execConfig: entriesOf(section['extensions'])
			.map((entry) => fieldsOf<{name: string; extension: unknown}>(entry))
			.find(({name}) => name === 'client.authentication.k8s.io/exec')?.extension,
	};
}

function decodeUser(section: Fields<Section>, resolve: (path: unknown) => string): KubeconfigUser {
	const extra = Object.entries(fieldsOf<Section>(section['as-user-extra']));
	return {
		clientCertificate: resolve(section['client-certificate']),
		clientCertificateData: textOf(section['client-certificate-data']),
		clientKey: resolve(section['client-key']),
		clientKeyData: textOf(section['client-key-data']),
		token: textOf(section['token']),
		tokenFile: resolve(section['tokenFile']),
		username: textOf(section['username']),
		password: textOf(section['password']),
		as: textOf(section['as']),
		asUid: textOf(section['as-uid']),
		asGroups: entriesOf(section['as-groups']).map(textOf),
		asUserExtra: extra.flatMap(([key, values]) =>
			entriesOf(values).map((value) => [key, textOf(value)] as const),
		),
		authProvider: textOf(fieldsOf<Section>(section['auth-provider'])['name']),
		exec: decodeExec(section['exec'], resolve),
	};
}

function decodeExec(value: unknown, resolve: (path: unknown) => string): KubeconfigUser['exec'] {
	const section = fieldsOf<Section>(value);
	const command = textOf(section['command']);
	if (command === '') return undefined;
	return {
		apiVersion: textOf(section['apiVersion']),
		// A bare name is looked up in PATH; only one with a folder is relative to the file.
		command: command.includes(sep) ? resolve(command) : command,
		args: entriesOf(section['args']).map(textOf),
		env: entriesOf(section['env']).map((entry) => {
			const {name, value: text} = fieldsOf<{name: string; value: string}>(entry);
			return [textOf(name), textOf(text)] as const;
		}),
		installHint: textOf(section['installHint']),
		provideClusterInfo: section['provideClusterInfo'] === true,
		interactiveMode: textOf(section['interactiveMode']),
	};
}

function decodeContext(section: Fields<Section>): KubeconfigContext {
	const {cluster, user, namespace} = {cluster: '', user: '', namespace: '', ...textMapOf(section)};
	return {cluster, user, namespace};
}
