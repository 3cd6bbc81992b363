import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {everyPod, type NodeChooser, type Selection} from '../../src/cluster/transport/selection.ts';
import type {FirstLook} from '../../src/forecast/firstLook.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {podChooser} from '../../src/session/podChooser.ts';
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
	{command, filter}: Options,
	forecaster?: Pick<Forecaster, 'podScope' | 'settings'>,
	onLook?: (look: FirstLook) => void,
): Selection {
	const isOfPods = command === undefined || command === 'pods' || command === 'events';
	const wantsAll = filter.all || filter.verdicts.some((one) => one.toLowerCase() === 'safe');
	if (isOfPods && wantsAll) return everyPod;
	const named = command === 'pods' ? filter.names : [];
	const asked = {nodes: namesOf('nodes', filter.owners), zones: namesOf('zones', filter.owners)};
	return ofChosen(named, podChooser(asked, forecaster, onLook));
}

/** Chosen pods, and those named. */
export const ofChosen = (named: readonly string[], chooser: NodeChooser): Selection => ({
	pods: {type: 'chosen', chooser, ...(named.length > 0 && {named})},
});

/** What a watch reads, by the release and the settings that it begins with. */
export const watchedSelection = (
	options: Options,
	{forecaster, learner}: Learning,
	onLook?: (look: FirstLook) => void,
): Selection => ({
	...selectionFor(options, forecaster, onLook),
	kubernetesVersion: learner.evidence.serverVersion,
});

/** The pods to explain: those in trouble, and those asked for. @param readyWorkers whether to suppose one more node's loss */
export const explainSelection = (targets: readonly NamedTarget[], readyWorkers = false): Selection =>
	ofChosen(namesOf('pods', targets), podChooser({nodes: namesOf('nodes', targets), readyWorkers}));

/** Connects to a cluster. @throws UserError if its configuration cannot be read */
export const reach = (
	flags: Options['flags'],
	environment = systemEnvironment(),
	timing = systemTiming,
): Promise<Cluster> =>
	// One clock for everything, so that nothing arrives in a forecast's future.
	connect(flags, environment, {...timing, now: systemClock.now});

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
