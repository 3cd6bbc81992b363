import {readFile} from 'node:fs/promises';
import {parse} from 'yaml';
import {shellWord} from '../../text/shellWord.ts';
import {fileErrorOf, messageOf, UserError} from '../../text/userError.ts';
import {entriesOf, type Fields, fieldsOf, textOf} from '../codec/rawJson.ts';
import {decodeCluster, decodeContext, decodeUser} from './decodeKubeconfig.ts';
import type {Kubeconfig} from './kubeconfig.ts';
import {KubeconfigSection} from './kubeconfigSection.ts';

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
			`cannot read the kubeconfig ${file}: ${fileErrorOf(error)}`,
			'name an existing file with --kubeconfig or KUBECONFIG',
			{cause: error},
		);
	});
	const config = parseYaml(text, file);
	if (typeof config !== 'object' || Array.isArray(config)) {
		throw new UserError(`the kubeconfig ${file} is not a map of fields`, seeKubectl(file));
	}
	const section = (value: unknown, where: string) => new KubeconfigSection(value, {file, where});
	const read = <T>(list: string, entry: string, decode: (section: KubeconfigSection) => T) =>
		namedEntries(fieldsOf<Section>(config)[list], file).map(
			([name, value]) => [name, decode(section(value[entry], `${entry} "${name}"`))] as const,
		);
	return {
		currentContext: section(config, 'file').text('current-context'),
		clusters: new Map(read('clusters', 'cluster', decodeCluster)),
		users: new Map(read('users', 'user', decodeUser)),
		contexts: new Map(read('contexts', 'context', decodeContext)),
	};
}

const seeKubectl = (file: string) =>
	`correct it; this shows what kubectl makes of it: kubectl config view --kubeconfig ${shellWord(file)}`;

function parseYaml(text: string, file: string): unknown {
	try {
		return parse(text);
	} catch (error) {
		throw new UserError(`the kubeconfig ${file} is not valid YAML: ${messageOf(error)}`, seeKubectl(file));
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
