import {systemTiming, type Timing} from '../async/timing.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../core/model/controlPlane.ts';
import type {KubeletConfig} from '../core/model/kubeletConfig.ts';
import type {Node} from '../core/model/node.ts';
import type {ObservationSink} from '../core/model/observation.ts';
import type {Pod} from '../core/model/pod.ts';
import type {Related, RelatedQuery} from '../core/model/workloads/related.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import {resolveAccess} from './access/access.ts';
import type {ConnectionOptions} from './access/connectionOptions.ts';
import {type Environment, systemEnvironment} from './access/environment.ts';
import {
	answersAboutLeases,
	lacksNamespace,
	lacksPods,
	lookUpNode,
	lookUpPod,
	readVersion,
} from './controlplane/apiServer.ts';
import {clusterIdentity} from './controlplane/clusterIdentity.ts';
import {discoverControlPlane} from './controlplane/settingsDiscovery.ts';
import {kubeletsOf} from './kubelet/kubelets.ts';
import {readKubeletConfig} from './kubelet/nodePressure.ts';
import {type KubeletChooser, PressureLooker, watchPressure} from './kubelet/pressureLooker.ts';
import type {Selection} from './transport/selection.ts';
import type {TrafficCounts} from './transport/traffic.ts';
import {openTransport, type Query, type Transport} from './transport/transport.ts';
import {ClusterWatch} from './watch/clusterWatch.ts';
import {type EarlyLists, listEarly} from './watch/earlyLists.ts';
import {Pulse} from './watch/pulse.ts';
import {takeSnapshot} from './watch/snapshot.ts';
import {type Awaited, waitNotice} from './watch/waitNotice.ts';
import {readRelated} from './workloads/readRelated.ts';

export type Cluster = {
	/** The base URL of its API server. */
	readonly server: string;
	/** The namespace of the flag, else of the context, else `default`. */
	readonly namespace: string;
	/** The time of the API server's clock, as known from its responses; before the first, this machine's. */
	now(): Instant;
	/** The API server's version, as `v1.36.3`. @throws UserError if it is not available */
	version(): Promise<string>;
	/** The flags of its control plane, as far as they are visible. */
	controlPlane(): Promise<ControlPlane>;
	/** Reads it once. Forbidden resources are problems in it. @throws UserError if the nodes cannot be read for another reason */
	snapshot(selection: Selection): Promise<ClusterSnapshot>;
	/** Requests the nodes and their leases now: the next `watch` begins with what comes, and need not wait for it. */
	listEarly(): void;
	/**
	 * Watches until aborted, across all failures. The first batch brings the whole state; `arrivedAt` is by `now`.
	 *
	 * @returns whether it ended because of one of the selection's refusals
	 * @throws UserError if the nodes cannot be read at the start (if they are forbidden, that is a problem instead);
	 * AnotherClusterError if another cluster answers later: its state is unknown until `controlPlane` is called and it is
	 * watched anew
	 */
	watch(selection: Selection, sink: ObservationSink, signal: AbortSignal): Promise<boolean>;
	/** Reads one node; undefined if it does not exist. @throws RequestError if it cannot be read */
	node(name: string): Promise<Node | undefined>;
	/** The same for a pod. */
	pod(namespace: string, name: string): Promise<Pod | undefined>;
	/** Whether a namespace certainly does not exist. @throws RequestError if the server does not answer */
	lacksNamespace(name: string): Promise<boolean>;
	/** Whether the selectors certainly match no pod, of all namespaces if none is given. @throws RequestError if nothing answers */
	lacksPods(namespace: string | undefined, selectors: Query): Promise<boolean>;
	/** Reads the owners, budgets and services of pods in these namespaces. Forbidden resources are problems in it. */
	related(query: RelatedQuery): Promise<Related>;
	/** Reads a kubelet's configuration. @throws RequestError if it is refused, or nothing answers */
	kubeletConfig(node: string): Promise<KubeletConfig>;
	/** Looks at the pressure of nodes through their kubelets; refusals are problems. */
	pressureLooker(): PressureLooker;
	/** Repeatedly looks at the pressure of the chosen nodes, until aborted; refusals are problems. */
	watchPressure(chooser: KubeletChooser, sink: ObservationSink, signal: AbortSignal): Promise<void>;
	/**
	 * Checks every few seconds whether the API server answers, until aborted; for commands that poll rarely. Calls back within
	 * ten seconds of silence with its start, and with undefined once the server answers again.
	 */
	listen(onSilence: (since: Instant | undefined) => void, signal: AbortSignal): Promise<void>;
	traffic(): TrafficCounts;
	/** How long no response has come to a pending request, in real time. */
	silentFor(): Duration;
	/** Whether its credential plugin has the terminal: a user may be logging in. */
	isAttended(): boolean;
	close(): Promise<void>;
};

/**
 * Resolves the cluster that kubectl would use with the same flags. No request is sent yet.
 *
 * @throws UserError if no cluster is configured, or its configuration cannot be read
 */
export async function connect(
	options: ConnectionOptions,
	environment: Environment = systemEnvironment(),
	timing: Timing = systemTiming,
): Promise<Cluster> {
	const access = await resolveAccess(options, environment);
	const transport = await openTransport(access, environment, timing);
	const kubelets = kubeletsOf(transport, access);
	const now = () => timing.now() + transport.clockOffset.correction;
	const serverTiming = {...timing, now};
	const identity = clusterIdentity(transport, timing.answerTimeout);
	let early: EarlyLists | undefined;
	const waiting = waitNotice(() => awaitedBy(transport, timing), environment.writeError);
	return {
		server: access.server.href,
		namespace: access.namespace,
		now,
		version: () => waiting(readVersion(transport)),
		controlPlane: () => waiting(discoverControlPlane(transport, identity)),
		node: (name) => lookUpNode(transport, name),
		pod: (namespace, name) => lookUpPod(transport, namespace, name),
		lacksNamespace: (name) => lacksNamespace(transport, name),
		lacksPods: (namespace, selectors) => lacksPods(transport, namespace, selectors),
		related: (query) => readRelated(transport, query),
		kubeletConfig: (node) => readKubeletConfig(kubelets, node),
		pressureLooker: () => new PressureLooker(transport, kubelets, now),
		watchPressure: (chooser, sink, signal) =>
			watchPressure(new PressureLooker(transport, kubelets, now), chooser, sink, serverTiming, signal),
		snapshot: (selection) => waiting(takeSnapshot(transport, selection)),
		listEarly: () => {
			early = listEarly(transport, serverTiming);
		},
		watch: (selection, sink, signal) => {
			const watch = new ClusterWatch(transport, identity, early, selection, serverTiming, sink);
			early = undefined;
			return watch.run(signal);
		},
		listen: (onSilence, signal) => {
			const pulse: Pulse = new Pulse({
				timing: serverTiming,
				ask: (asking) => answersAboutLeases(transport, asking),
				confirmed: () => undefined,
				changed: (isSilent) => {
					if (isSilent) transport.distrustConnections();
					onSilence(isSilent ? pulse.heardAt : undefined);
				},
				looked: () => undefined,
			});
			return pulse.run(signal);
		},
		traffic: () => transport.traffic.counts,
		silentFor: () => transport.traffic.silentFor(),
		isAttended: () => transport.pluginAtWork?.hasTerminal ?? false,
		close: async () => void (await Promise.all([transport.close(), kubelets.close()])),
	};
}

/** No request is sent before the credential plugin has answered. */
function awaitedBy({pluginAtWork: plugin, server, traffic}: Transport, {elapsed}: Timing): Awaited {
	if (!plugin)
		return {name: `the API server at ${server.host}`, silentFor: traffic.silentFor(), isAttended: false};
	const {command, startedAt, hasTerminal} = plugin;
	return {
		name: `the credential plugin ${command}`,
		silentFor: elapsed() - startedAt,
		isAttended: hasTerminal,
	};
}
