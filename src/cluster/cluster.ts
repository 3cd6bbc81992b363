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
import {ClusterIdentity} from './controlplane/clusterIdentity.ts';
import {discoverControlPlane} from './controlplane/settingsDiscovery.ts';
import {readKubeletConfig} from './kubelet/kubeletConfig.ts';
import {type KubeletChooser, PressureLooker, watchPressure} from './kubelet/pressureLooker.ts';
import type {Selection} from './transport/selection.ts';
import type {TrafficCounts} from './transport/traffic.ts';
import {openTransport, type Query, type Transport} from './transport/transport.ts';
import {ClusterWatch} from './watch/clusterWatch.ts';
import {Pulse} from './watch/pulse.ts';
import {takeSnapshot} from './watch/snapshot.ts';
import {type Awaited, Waiting} from './watch/waiting.ts';
import {readRelated} from './workloads/readRelated.ts';

/** A cluster that is only ever read. */
export type Cluster = {
	/** The base URL of its API server. */
	readonly server: string;
	/** The namespace asked for, else the context's, else `default`. */
	readonly namespace: string;
	/** The time by the API server's clock, as far as its answers have told; until then, and where they agree, ours. */
	now(): Instant;
	/** The API server's version, as in `v1.36.3`. @throws UserError where it does not say. */
	version(): Promise<string>;
	/** The flags that its control plane runs with, as far as they can be seen. */
	controlPlane(): Promise<ControlPlane>;
	/**
	 * Reads it once. What may not be read is a problem in the snapshot.
	 *
	 * @throws UserError where the nodes cannot be read for another reason.
	 */
	snapshot(selection: Selection): Promise<ClusterSnapshot>;
	/**
	 * Follows it until aborted, through failures of any kind. The first batch brings the whole state; `arrivedAt` is the
	 * time by `now`.
	 *
	 * @returns whether it ended as one of the refusals of the selection came
	 * @throws UserError where the nodes cannot be read from the start (that they may not is a problem); AnotherClusterError
	 *   where another cluster answers later, of which nothing is known until `controlPlane` is asked for and it is watched anew
	 */
	watch(selection: Selection, sink: ObservationSink, signal: AbortSignal): Promise<boolean>;
	/** One node as it is right now; undefined where there is none. @throws RequestError where it cannot be read */
	node(name: string): Promise<Node | undefined>;
	/** The same of a pod. */
	pod(namespace: string, name: string): Promise<Pod | undefined>;
	/** Whether a namespace is surely not there. @throws RequestError where nobody answers */
	lacksNamespace(name: string): Promise<boolean>;
	/** Whether selectors surely match no pod, of any namespace where none is said. @throws RequestError where nobody answers */
	lacksPods(namespace: string | undefined, selectors: Query): Promise<boolean>;
	/** What belongs to pods of these namespaces: owners, budgets, services. What may not be read is a problem in it. */
	related(query: RelatedQuery): Promise<Related>;
	/** What a kubelet says of its configuration. @throws RequestError where it is refused, or nobody answers. */
	kubeletConfig(node: string): Promise<KubeletConfig>;
	/** Somebody who looks at the pressure of nodes, through their kubelets; what is refused is a problem. */
	pressureLooker(): PressureLooker;
	/** Looks at the pressure of the nodes that are chosen again and again, until aborted; what is refused is a problem. */
	watchPressure(chooser: KubeletChooser, sink: ObservationSink, signal: AbortSignal): Promise<void>;
	/**
	 * Asks the API server every few seconds whether it is there, until aborted, for who looks only now and then: tells within
	 * ten seconds that it says nothing any more, and since when; and by undefined that it answers again.
	 */
	listen(onSilence: (since: Instant | undefined) => void, signal: AbortSignal): Promise<void>;
	/** What all of this has cost the API server so far. */
	traffic(): TrafficCounts;
	/** How long nothing has come though something was asked for, in real time. */
	silentFor(): Duration;
	/** Whether its credential plugin has the terminal: a person may be at work with it. */
	isAttended(): boolean;
	/** Lets go of its connections. */
	close(): Promise<void>;
};

/**
 * Finds the cluster that kubectl would talk to with the same flags. The server is asked nothing yet.
 *
 * @throws UserError where no cluster is configured, or its configuration cannot be read.
 */
export async function connect(
	options: ConnectionOptions,
	environment: Environment = systemEnvironment(),
	timing: Timing = systemTiming,
): Promise<Cluster> {
	const access = await resolveAccess(options, environment);
	const transport = await openTransport(access, environment, timing);
	const now = () => timing.now() + transport.clockOffset.correction;
	const serverTiming = {...timing, now};
	const identity = new ClusterIdentity(transport, timing.answerTimeout);
	const waiting = new Waiting({
		writeError: environment.writeError,
		awaited: () => awaitedBy(transport, timing),
	});
	return {
		server: access.server.href,
		namespace: access.namespace,
		now,
		version: () => waiting.for(readVersion(transport)),
		controlPlane: () => waiting.for(discoverControlPlane(transport, identity)),
		node: (name) => lookUpNode(transport, name),
		pod: (namespace, name) => lookUpPod(transport, namespace, name),
		lacksNamespace: (name) => lacksNamespace(transport, name),
		lacksPods: (namespace, selectors) => lacksPods(transport, namespace, selectors),
		related: (query) => readRelated(transport, query, serverTiming),
		kubeletConfig: (node) => readKubeletConfig(transport, node),
		pressureLooker: () => new PressureLooker(transport, now),
		watchPressure: (chooser, sink, signal) =>
			watchPressure(new PressureLooker(transport, now), chooser, sink, serverTiming, signal),
		snapshot: (selection) => waiting.for(takeSnapshot(transport, selection, serverTiming)),
		watch: (selection, sink, signal) =>
			new ClusterWatch({transport, identity}, selection, serverTiming, sink).run(signal),
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
		close: () => transport.close(),
	};
}

/** Nothing is asked of the API server before the credential plugin has answered. */
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
