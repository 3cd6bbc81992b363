import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import type {Options} from '../args/options.ts';
import type {NamedTarget} from '../questions/explainTargets.ts';

/**
 * What is read: the pods of the nodes in trouble, of every namespace, as the controllers delete them through one client
 * with a limited rate; those asked for by name; and with --all every pod there is.
 *
 * @param forecaster takes in what is followed; absent where one looks once
 */
export function selectionFor(
	{command, filter}: Pick<Options, 'command' | 'filter'>,
	namespace: string | undefined,
	forecaster?: Pick<Forecaster, 'podScope'>,
): Selection {
	const isOfPods = command === undefined || command === 'pods';
	if (isOfPods && filter.all) return {pods: {type: 'all'}};
	const isNamed = isOfPods && namespace !== undefined && filter.names.length > 0;
	const named = isNamed ? {named: {namespace, names: filter.names}} : {};
	return {pods: {type: 'chosen', chooser: new PodChooser({}, forecaster), ...named}};
}

/** What is read to explain something: what is in trouble, and what is asked for. A pod may be in another namespace. */
export function explainSelection(targets: readonly NamedTarget[]): Selection {
	const namesOf = (kind: NamedTarget['kind']) =>
		targets.filter((one) => one.kind === kind).map(({name}) => name);
	const chooser = new PodChooser({nodes: namesOf('node')});
	return {pods: {type: 'chosen', chooser, named: {namespace: undefined, names: namesOf('pod')}}};
}

/** The version of the server; undefined where it may not be asked. */
export const readVersion = (cluster: Pick<Cluster, 'version'>): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
