import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import type {Options} from '../args/options.ts';
import {absenceIn} from './absent.ts';
import {type Look, scopeOf} from './look.ts';
import {lookAtPressed, reportsOnce} from './pressureLooks.ts';

/** The scene of what was read of a cluster, which can be asked for more. */
export function clusterScene(
	cluster: Cluster,
	seen: ClusterSnapshot,
	controlPlane: ControlPlane,
	options: Options,
): Look {
	const {command, controller, exitCode, lists} = options;
	const evidence = {...controller.asked, serverVersion: seen.kubernetesVersion, controlPlane};
	const problems = [...seen.problems, ...controller.notes];
	// Lists of nodes and zones tell of pods only whether a countdown runs, and an exit code; unseen leases have one, too.
	const isOfPlaces = command === 'nodes' || command === 'zones';
	const needsCode = exitCode || seen.leases === undefined || lists.length > 0;
	// These change verdicts of pods after all are judged.
	const hasOthers =
		Boolean(seen.deviceObjects?.length) || seen.repair?.some(({kind}) => kind === 'EvictionRequest');
	const isEnough = isOfPlaces && !needsCode && !hasOthers ? isCountedDown : undefined;
	return {
		...lookOnce({...seen, problems}, evidence, isEnough),
		namespace: scopeOf(options, cluster.namespace),
		now: cluster.now,
		related: (query) => cluster.awaited(cluster.related(query)),
		pressure: (named) => lookAtPressed(cluster, seen, named),
		reports: () => reportsOnce(cluster),
		kubelet: cluster.kubeletConfig,
		absence: (where) => absenceIn(cluster, where, options),
	};
}

const isCountedDown = ({verdict}: PodForecast): boolean => verdict === 'Scheduled';
