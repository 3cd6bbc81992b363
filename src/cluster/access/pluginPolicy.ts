import {delimiter, join, normalize, sep} from 'node:path';
import {readTextFile} from '../../async/readTextFile.ts';
import {codeOf, messageOf, UserError} from '../../text/userError.ts';
import {documentsOfYaml} from '../../text/yaml.ts';
import {entriesOf, fieldsOf, textOf} from '../codec/rawJson.ts';
import type {Environment} from './environment.ts';

/** What a kuberc says of credential plugins. */
type PluginPolicy = {
	readonly file: string;
	readonly type: string;
	/** Undefined without an allowlist. */
	readonly allowed: readonly string[] | undefined;
};

type Preference = Record<
	'apiVersion' | 'kind' | 'credentialPluginPolicy' | 'credentialPluginAllowlist',
	unknown
>;

/**
 * The program to start for a credential plugin, if the user's kuberc lets it run. What an allowlist allows is started from
 * the place that was compared, wherever PATH of the kubeconfig's `env` leads.
 *
 * @throws UserError if the kuberc forbids it or contradicts itself, or a named one cannot be read
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go checkAllowlistLocked
 */
export async function allowedCommand(command: string, environment: Environment): Promise<string> {
	const policy = await readPolicy(environment);
	if (!policy || policy.type === '' || policy.type === 'AllowAll') return command;
	const path = lookPath(normalize(command), environment);
	const isAllowed = (entry: string) =>
		entry === normalize(command) || (path !== undefined && lookPath(entry, environment) === path);
	if (policy.allowed?.some(isAllowed)) return path ?? command;
	throw new UserError(
		`the credential plugin ${command} may not run: credentialPluginPolicy of ${policy.file} is ${policy.type}`,
		`kubectl does not run it either; add it to credentialPluginAllowlist there if you trust it`,
	);
}

/** Where a program is found, as a path or in PATH. */
function lookPath(command: string, {env, fileExists}: Environment): string | undefined {
	const places = command.includes(sep)
		? [command]
		: (env['PATH'] ?? env['Path'] ?? '').split(delimiter).map((folder) => join(folder, command));
	return places.find(fileExists);
}

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/kubectl/pkg/kuberc/kuberc.go DefaultGetPreferences */
async function readPolicy({env, homeDirectory, writeError}: Environment): Promise<PluginPolicy | undefined> {
	const named = env['KUBERC'] ?? '';
	if (named === 'off' || env['KUBECTL_KUBERC'] === 'false') return undefined;
	const file = named || join(homeDirectory, '.kube', 'kuberc');
	let policy: PluginPolicy | undefined;
	try {
		policy = policyIn(await readTextFile(file), file);
	} catch (error) {
		if (named === '' && codeOf(error) === 'ENOENT') return undefined;
		if (named === '')
			return void writeError(`kuberc: no preferences loaded from ${file}: ${messageOf(error)}\n`);
		throw invalid(file, messageOf(error));
	}
	const problem = policy && problemOf(policy);
	if (problem) throw invalid(file, problem);
	return policy;
}

/** The policy of the first preference in a kuberc; v1alpha1 knows none. @throws Error if none is in it */
function policyIn(text: string, file: string): PluginPolicy | undefined {
	const preferences = documentsOfYaml(text)
		.filter((document) => document !== null)
		.map((document) => fieldsOf<Preference>(document));
	if (preferences.length === 0) return undefined;
	const preference = preferences.find(
		({apiVersion, kind}) =>
			/^kubectl\.config\.k8s\.io\/\w+$/.test(textOf(apiVersion)) && kind === 'Preference',
	);
	if (!preference) throw new Error('there is no Preference of kubectl.config.k8s.io in it');
	const {apiVersion, credentialPluginPolicy, credentialPluginAllowlist: allowlist} = preference;
	if (apiVersion === 'kubectl.config.k8s.io/v1alpha1') return undefined;
	const commandOf = (entry: unknown) => {
		const {command, name} = fieldsOf<Record<'command' | 'name', unknown>>(entry);
		return textOf(command) || textOf(name);
	};
	return {
		file,
		type: String(credentialPluginPolicy ?? ''),
		allowed: (allowlist ?? null) === null ? undefined : entriesOf(allowlist).map(commandOf),
	};
}

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go ValidatePluginPolicy */
function problemOf({type, allowed}: PluginPolicy): string | undefined {
	if (!['', 'AllowAll', 'DenyAll', 'Allowlist'].includes(type))
		return `credentialPluginPolicy is "${type}": it must be AllowAll, DenyAll or Allowlist`;
	if (type !== 'Allowlist')
		return allowed && 'it has a credentialPluginAllowlist, but its credentialPluginPolicy is not Allowlist';
	if (!allowed || allowed.length === 0)
		return 'credentialPluginPolicy is Allowlist, but credentialPluginAllowlist has no entry';
	const wrong = allowed.find((command) => command === '' || normalize(command) !== command);
	return wrong === undefined ? undefined : `credentialPluginAllowlist has "${wrong}", which is no plain path`;
}

const invalid = (file: string, problem: string): UserError =>
	new UserError(
		`the kuberc ${file} cannot be used: ${problem}`,
		'it decides which credential plugins may run: correct it, or turn it off with KUBERC=off',
	);
