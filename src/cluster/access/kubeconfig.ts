import {delimiter, dirname, join, resolve as resolvePath} from 'node:path';
import {KubeConfig} from '@kubernetes/client-node/dist/config.js';
import {readTextFile} from '../../async/readTextFile.ts';
import {kept} from '../../core/collections/kept.ts';
import {unique} from '../../core/collections/unique.ts';
import {shellWord} from '../../text/pasted.ts';
import {codeOf, fileErrorOf, messageOf, UserError} from '../../text/userError.ts';
import {parseYaml} from '../../text/yaml.ts';
import {entriesOf, fieldsOf} from '../codec/rawJson.ts';
import {
	adaptedToKubeConfig,
	keepContextsWithoutCluster,
	keepUnreadFields,
	makeOtherPathsAbsolute,
	mergeFirstWins,
	type RawFields,
	type RawKubeconfig,
	sameNameIn,
	wrongTypeIn,
} from './corrections.ts';
import type {Environment} from './environment.ts';

/**
 * Loads the kubeconfig as kubectl does: the file of `--kubeconfig`, else those of KUBECONFIG, else ~/.kube/config. If
 * several files define a context, cluster or user, the first one wins. Missing files are skipped, except the file of
 * `--kubeconfig`. Paths become absolute.
 *
 * @throws UserError if a file cannot be read or parsed
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/loader.go Load
 */
export async function loadKubeconfig(
	flag: string | undefined,
	environment: Environment,
): Promise<KubeConfig> {
	if (flag) return loadFile(flag);
	const found = await Promise.all(kubeconfigFiles(environment).map(loadIfPresent));
	const config = new KubeConfig();
	config.setCurrentContext('');
	for (const file of found) if (file) mergeFirstWins(config, file);
	return config;
}

/** The files that are read without `--kubeconfig`, in order of precedence. */
export function kubeconfigFiles({env, homeDirectory}: Environment): readonly string[] {
	const listed = env['KUBECONFIG'];
	if (!listed) return [join(homeDirectory, '.kube', 'config')];
	return unique(listed.split(delimiter).filter((file) => file !== ''));
}

async function loadIfPresent(file: string): Promise<KubeConfig | undefined> {
	try {
		return await loadFile(file);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** Kubeconfigs by their text: a dashboard reads its file three times, a fleet once a member, and YAML is slow to parse. */
const parsed = new Map<string, RawKubeconfig>();

async function loadFile(file: string): Promise<KubeConfig> {
	const text = await readTextFile(file).catch((error: unknown) => {
		throw new UserError(
			`cannot read the kubeconfig ${file}: ${fileErrorOf(error)}`,
			'name an existing file with --kubeconfig or KUBECONFIG',
			{cause: error},
		);
	});
	const raw = kept(parsed, text, () => parseKubeconfig(text, file));
	const folder = resolvePath(dirname(file));
	const config = new KubeConfig();
	config.loadFromString(JSON.stringify(adaptedToKubeConfig(raw)), {onInvalidEntry: 'filter'});
	keepContextsWithoutCluster(config, raw);
	keepUnreadFields(config, raw);
	config.makePathsAbsolute(folder);
	makeOtherPathsAbsolute(config, folder);
	return config;
}

function parseKubeconfig(text: string, file: string): RawKubeconfig {
	const wrong = (what: string) =>
		new UserError(
			`the kubeconfig ${file}${what}`,
			`correct it; this shows what kubectl makes of it: kubectl config view --kubeconfig ${shellWord(file)}`,
		);
	let config: unknown;
	try {
		// A document that contains itself, by an anchor, is an error here as in kubectl.
		config = JSON.parse(JSON.stringify(parseYaml(text)));
	} catch (error) {
		throw wrong(` is not valid YAML: ${messageOf(error)}`);
	}
	if (typeof config !== 'object' || Array.isArray(config)) throw wrong(' is not a map of fields');
	const fields = fieldsOf<RawFields>(config);
	const entries = (list: string) => entriesOf(fields[list]).map((entry) => fieldsOf<RawFields>(entry));
	const raw: RawKubeconfig = {
		'current-context': fields['current-context'] ?? '',
		clusters: entries('clusters'),
		users: entries('users'),
		contexts: entries('contexts'),
	};
	const twice = sameNameIn(raw);
	if (twice !== undefined) throw wrong(` has two entries named "${twice}" in one list`);
	const problem = wrongTypeIn(raw);
	if (problem !== undefined) throw wrong(`: ${problem}`);
	return raw;
}
