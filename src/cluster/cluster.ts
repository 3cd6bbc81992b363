import {systemTiming, type Timing} from '../async/timing.ts';
import type {ObservationSink} from '../core/model/observation.ts';
import type {RelatedQuery} from '../core/model/workloads/related.ts';
import type {Instant} from '../core/time/instant.ts';
import {resolveAccess} from './access/access.ts';
import type {ConnectionOptions} from './access/connectionOptions.ts';
import {type Environment, systemEnvironment} from './access/environment.ts';
import {answersAboutLeases, questionsTo, readVersion} from './controlplane/apiServer.ts';
import {clusterIdentity} from './controlplane/clusterIdentity.ts';
import {discoverControlPlane} from './controlplane/settingsDiscovery.ts';
import {kubeletsOf} from './kubelet/kubelets.ts';
import {readKubeletConfig} from './kubelet/nodePressure.ts';
import {type KubeletChooser, PressureLooker, watchPressure} from './kubelet/pressureLooker.ts';
import type {Selection} from './transport/selection.ts';
import {openTransport, type Transport} from './transport/transport.ts';
import {ClusterWatch} from './watch/clusterWatch.ts';
import {type EarlyLists, listEarly} from './watch/earlyLists.ts';
import {Pulse} from './watch/pulse.ts';
import {takeSnapshot} from './watch/snapshot.ts';
import {waitNotice} from './watch/waitNotice.ts';
import {readRelated} from './workloads/readRelated.ts';

/**
 * Resolves the cluster that kubectl would use with the same flags. No request is sent yet.
 *
 * @throws UserError if no cluster is configured, or its configuration cannot be read
 */
export async function connect(
	options: ConnectionOptions,
	environment: Environment = systemEnvironment(),
	timing: Timing = systemTiming,
) {
	const access = await resolveAccess(options, environment);
	const transport = await openTransport(access, environment, timing);
	const kubelets = kubeletsOf(transport, access);
	const now = (): Instant => timing.now() + transport.clockOffset.correction;
	const serverTiming = {...timing, now};
	const identity = clusterIdentity(transport, timing.answerTimeout);
	const looker = () => new PressureLooker(transport, kubelets, now);
	const waiting = waitNotice(() => awaitedBy(transport, timing), environment.writeError);
	let early: EarlyLists | undefined;
	return {
		...questionsTo(transport),
		/** The base URL of its API server. */
		server: access.server.href,
		/** The namespace of the flag, else of the context, else `default`. */
		namespace: access.namespace,
		/** The time of the API server's clock, as known from its responses; before the first, this machine's. */
		now,
		/** Awaits what was asked of it, and prints who has not answered meanwhile. */
		awaited: waiting,
		/** The API server's version, as `v1.36.3`. @throws UserError if it is not available */
		version: () => waiting(readVersion(transport)),
		/** The flags of its control plane, as far as they are visible. */
		controlPlane: () => waiting(discoverControlPlane(transport, identity)),
		/** Reads it once. Forbidden resources are problems in it. @throws UserError if the nodes cannot be read for another reason */
		snapshot: (selection: Selection) => waiting(takeSnapshot(transport, selection)),
		/** Requests the nodes and their leases now: the next `watch` begins with what comes, and need not wait for it. */
		listEarly: () => {
			early = listEarly(transport, serverTiming);
		},
		/**
		 * Watches until aborted, across all failures. The first batch brings the whole state; `arrivedAt` is by `now`.
		 *
		 * @returns whether it ended because of one of the selection's refusals
		 * @throws UserError if the nodes cannot be read at the start (if they are forbidden, that is a problem instead);
		 * AnotherClusterError if another cluster answers later: its state is unknown until `controlPlane` is called and it is
		 * watched anew
		 */
		watch: (selection: Selection, sink: ObservationSink, signal: AbortSignal) => {
			const watch = new ClusterWatch(transport, identity, early, selection, serverTiming, sink);
			early = undefined;
			return watch.run(signal);
		},
		/** Reads the owners, budgets and services of pods in these namespaces. Forbidden resources are problems in it. */
		related: (query: RelatedQuery) => readRelated(transport, query),
		/** Reads a kubelet's configuration. @throws RequestError if it is refused, or nothing answers */
		kubeletConfig: (node: string) => readKubeletConfig(kubelets, node),
		/** Looks at the pressure of nodes through their kubelets; refusals are problems. */
		pressureLooker: looker,
		/** Repeatedly looks at the pressure of the chosen nodes, until aborted; refusals are problems. */
		watchPressure: (chooser: KubeletChooser, sink: ObservationSink, signal: AbortSignal) =>
			watchPressure(looker(), chooser, sink, serverTiming, signal),
		/** Checks whether the API server answers, for commands that poll rarely. */
		listen: listenerOf(transport, serverTiming),
		traffic: () => transport.traffic.counts,
		/** How long no response has come to a pending request, in real time. */
		silentFor: () => transport.traffic.silentFor(),
		/** Why a request waits that was answered: the server wants to be asked later. Undefined if none does. */
		throttle: () => transport.traffic.throttle,
		/** Whether its credential plugin has the terminal: a user may be logging in. */
		isAttended: () => transport.pluginAtWork?.hasTerminal ?? false,
		close: async (): Promise<void> => void (await Promise.all([transport.close(), kubelets.close()])),
	};
}

export type Cluster = Awaited<ReturnType<typeof connect>>;

/**
 * Checks every few seconds whether the API server answers, until aborted. Calls back within ten seconds of silence with its
 * start, and with undefined once the server answers again.
 */
const listenerOf =
	(transport: Transport, timing: Timing) =>
	(onSilence: (since: Instant | undefined) => void, signal: AbortSignal): Promise<void> => {
		const pulse: Pulse = new Pulse({
			timing,
			ask: (asking) => answersAboutLeases(transport, asking),
			confirmed: () => undefined,
			changed: (isSilent) => {
				if (isSilent) transport.distrustConnections();
				onSilence(isSilent ? pulse.heardAt : undefined);
			},
			looked: () => undefined,
		});
		return pulse.run(signal);
	};

/** No request is sent before the credential plugin has answered. */
function awaitedBy({pluginAtWork: plugin, server, traffic}: Transport, {elapsed}: Timing) {
	if (!plugin)
		return {
			name: `the API server at ${server.host}`,
			why: traffic.throttle?.message,
			silentFor: traffic.silentFor(),
			isAttended: false,
		};
	const {command, startedAt, hasTerminal} = plugin;
	return {
		name: `the credential plugin ${command}`,
		silentFor: elapsed() - startedAt,
		isAttended: hasTerminal,
	};
}
