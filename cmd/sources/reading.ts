import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {FirstLook} from '../../src/forecast/firstLook.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {systemClock} from '../../src/live/clock.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import type {Options} from '../args/options.ts';
import {type NamedTarget, namesOf} from '../args/targets.ts';

/**
 * The pods to read: those of nodes in trouble, of every namespace, as the controllers delete all of them through one
 * rate-limited client; those named, of every namespace, so that it can be said in which they are; and with --all every pod.
 *
 * @param forecaster receives the observations; absent for a single look
 * @param onLook called with the first nodes and leases, while pods are awaited
 */
export function selectionFor(
	{command, filter}: Pick<Options, 'command' | 'filter'>,
	forecaster?: Pick<Forecaster, 'podScope' | 'settings'>,
	onLook?: (look: FirstLook) => void,
): Selection {
	const isOfPods = command === undefined || command === 'pods';
	const wantsAll = filter.all || filter.verdicts.some((one) => one.toLowerCase() === 'safe');
	if (isOfPods && wantsAll) return {pods: {type: 'all'}};
	const named = command === 'pods' && filter.names.length > 0 ? {named: filter.names} : {};
	const asked = {nodes: namesOf('nodes', filter.owners), zones: namesOf('zones', filter.owners)};
	return {pods: {type: 'chosen', chooser: new PodChooser(asked, forecaster, onLook), ...named}};
}

/** The pods to explain: those in trouble, and those asked for. @param readyWorkers whether to suppose one more node's loss */
export function explainSelection(
	targets: readonly NamedTarget[],
	{readyWorkers = false}: {readonly readyWorkers?: boolean} = {},
): Selection {
	const chooser = new PodChooser({nodes: namesOf('nodes', targets), readyWorkers});
	return {pods: {type: 'chosen', chooser, named: namesOf('pods', targets)}};
}

/** Connects to a cluster. @throws UserError if its configuration cannot be read */
export const reach = (flags: Options['flags'], environment = systemEnvironment()): Promise<Cluster> =>
	// One clock for everything, so that nothing arrives in a forecast's future.
	connect(flags, environment, {...systemTiming, now: systemClock.now});

/** Connects to a cluster while it is used. @throws as `reach` and `use` */
export async function withCluster<Result>(
	flags: Options['flags'],
	use: (cluster: Cluster) => Promise<Result>,
	environment = systemEnvironment(),
): Promise<Result> {
	const cluster = await reach(flags, environment);
	try {
		return await use(cluster);
	} finally {
		await cluster.close();
	}
}

/** The server's version; undefined if forbidden. */
export const readVersion = (cluster: Pick<Cluster, 'version'>): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
