import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {loadKubeconfig} from '../../src/cluster/access/kubeconfig.ts';
import {unique} from '../../src/core/collections/unique.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {listIn} from '../args/quantities.ts';
import {nearest, usageError} from '../args/usageError.ts';

export type ChosenContext = {readonly name: string; readonly flags: Options['flags']};

/** The chosen contexts; no other is ever contacted. @throws UserError if one does not exist */
export async function chosenContexts({flags}: Options): Promise<readonly ChosenContext[]> {
	const asked = unique(listIn(flags.contexts));
	if (asked.length === 0 && !flags.allContexts) return [{name: await ownName(flags), flags}];
	rejectContradictions(flags, asked.length > 0);
	const {contexts} = await loadKubeconfig(flags.kubeconfig, systemEnvironment());
	const known = contexts.map(nameOf).toSorted();
	const unknown = asked.find((name) => !known.includes(name));
	if (unknown !== undefined) throw noContext(unknown, known);
	if (known.length === 0) throw withoutContexts();
	return (asked.length > 0 ? asked : known).map((name) => ({name, flags: {...flags, context: name}}));
}

/** The context shown first, those also followed, and all to choose from. @throws UserError if a chosen one does not exist */
export async function dashboardContexts(options: Options) {
	const {flags} = options;
	const chosen = await chosenContexts(options);
	const {contexts, currentContext} = await loadKubeconfig(flags.kubeconfig, systemEnvironment());
	const first = chosen.find(({name}) => name === currentContext) ?? chosen[0];
	if (!first) throw withoutContexts();
	const names = new Set(chosen.map(nameOf));
	// A cluster given by flags is not a context and has no others beside it.
	const others = flags.server || flags.cluster ? [] : contexts.filter(({name}) => !names.has(name));
	const all = [...chosen, ...others.map(({name}) => ({name, flags: {...flags, context: name}}))];
	const isAsked = flags.contexts.length > 0 || flags.allContexts;
	return {first, asked: isAsked ? chosen : [], all};
}

const withoutContexts = () =>
	new UserError('the kubeconfig has no contexts', 'name another with --kubeconfig or KUBECONFIG');

/** The name of the cluster that all other commands would read. */
async function ownName({context, server, kubeconfig}: Options['flags']): Promise<string> {
	if (context) return context;
	if (server) return URL.parse(server)?.host || server;
	const {currentContext} = await loadKubeconfig(kubeconfig, systemEnvironment());
	return currentContext || 'in-cluster';
}

function rejectContradictions(flags: Options['flags'], hasNames: boolean) {
	const choice = hasNames ? 'contexts' : 'all-contexts';
	if (hasNames && flags.allContexts)
		throw usageError('--contexts and --all-contexts cannot be used together');
	for (const other of ['context', 'cluster', 'server'] as const) {
		if (flags[other])
			throw usageError(`--${choice} cannot be used with --${other}: each context has its own`);
	}
}

function noContext(name: string, known: readonly string[]): UserError {
	const suggestion = nearest(name, known);
	return new UserError(
		`context "${name}" does not exist in the kubeconfig`,
		suggestion ? `did you mean "${suggestion}"?` : `choose one of: ${known.join(', ') || 'none'}`,
	);
}
