import {TaskGroup} from '../../async/taskGroup.ts';
import type {Timing} from '../../async/timing.ts';
import type {DeviceObject} from '../../core/model/device.ts';
import type {ObservationSink} from '../../core/model/observation.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {Decoder} from '../codec/decoder.ts';
import {answersAboutLeases} from '../controlplane/apiServer.ts';
import type {ClusterIdentity} from '../controlplane/clusterIdentity.ts';
import {findDeviceResources, findRepairResources} from '../controlplane/servedCollections.ts';
import {list} from '../transport/list.ts';
import {hasStatus, mayPass} from '../transport/requestError.ts';
import {
	events,
	isDatingWrites,
	isLeaderInEndpoints,
	leaderEndpoints,
	leaderLease,
	mayTaintDevices,
	nodeLeases,
	nodes,
	type Resource,
	taintsDevicesByDefault,
} from '../transport/resource.ts';
import type {Selection} from '../transport/selection.ts';
import type {Transport} from '../transport/transport.ts';
import type {EarlyList, EarlyLists} from './earlyLists.ts';
import {type Followed, FollowedPods} from './followedPods.ts';
import {JoinedStream} from './joinedStream.ts';
import {fixedCollections, labelsOf} from './podCollections.ts';
import {Pulse} from './pulse.ts';
import {Reflector} from './reflector.ts';

/** Retry interval after discovery of the collections fails. */
const findingPause: Duration = 5 * second;

/** Retry interval after discovery is forbidden: the permission may be granted later. */
const refusedPause: Duration = 5 * minute;

/** Interval of looking for devices in a cluster that has none. */
const devicesAgainAfter: Duration = 5 * minute;

/** Intervals of listing everything while watches do not deliver it: at first, and at most. */
const [firstUntilList, longestUntilList]: readonly [Duration, Duration] = [5 * second, 5 * minute];

/** The least time between two lists of quiet collections. */
const comparisonSpacing: Duration = 2.5 * second;

/** Watches a selection's collections, and joins them into one stream. */
export class ClusterWatch {
	readonly #transport: Transport;
	readonly #identity: ClusterIdentity;
	readonly #timing: Timing;
	#early: EarlyLists | undefined;
	readonly #decoder: Decoder;
	readonly #selection: Selection;
	/** Without private fields, by which a Reflector<T> is no Reflector<unknown>. */
	readonly #reflectors = new Set<Omit<Reflector<unknown>, never>>();
	/** Set if a chooser decides whose pods are watched. */
	readonly #followedPods: FollowedPods | undefined;
	readonly #tasks = new TaskGroup();
	readonly #stream: JoinedStream;
	readonly #pulse: Pulse;
	/** In monotonic time. */
	#listedAnewAt: Duration = Number.NEGATIVE_INFINITY;
	#untilNextList: Duration = 0;
	#willList = false;
	/** When a quiet collection was compared last, in monotonic time. */
	#comparedAt: Duration = Number.NEGATIVE_INFINITY;

	constructor(
		transport: Transport,
		identity: ClusterIdentity,
		early: EarlyLists | undefined,
		selection: Selection,
		timing: Timing,
		sink: ObservationSink,
	) {
		this.#transport = transport;
		this.#identity = identity;
		this.#early = early;
		this.#decoder = early?.decoder ?? new Decoder();
		this.#selection = selection;
		this.#timing = timing;
		if (selection.pods.type === 'chosen') {
			const {chooser} = selection.pods;
			this.#followedPods = new FollowedPods(chooser, selection, this.#decoder, (resource, signal) =>
				this.#follow(resource, signal),
			);
		}
		this.#stream = new JoinedStream({
			sink,
			now: timing.now,
			selection,
			commonProblems: () => [this.#decoder.problem, transport.clockOffset.problem, transport.pluginProblem],
			opens: (observations, now) => this.#followedPods?.begin(observations, now, this.#tasks.signal) ?? false,
			begun: () => this.#tasks.add(this.#followRepair(this.#tasks.signal)),
		});
		this.#pulse = new Pulse({
			timing,
			ask: (signal) => answersAboutLeases(transport, signal),
			// What one way of asking shows is not contradicted by another.
			confirmed: () => {
				if (![...this.#reflectors].some(({isDoubtful}) => isDoubtful)) this.#stream.confirm();
			},
			changed: (isSilent) => this.#changeConnection(isSilent),
			looked: (awake) => {
				for (const reflector of this.#reflectors) reflector.checkForLoss(awake, this.#tasks.signal);
			},
			isResting: () => [...this.#reflectors].every(({isRefused}) => isRefused),
		});
	}

	/**
	 * Runs until aborted.
	 *
	 * @returns whether it ended because a selected resource is forbidden
	 * @throws UserError if the nodes cannot be read at the start (if they are forbidden, that is a problem instead);
	 * AnotherClusterError if another cluster answers when a watch is reopened
	 */
	async run(signal: AbortSignal): Promise<boolean> {
		const decoder = this.#decoder;
		const {refused} = this.#stream;
		const early = this.#early;
		// Its objects are soon outdated.
		this.#early = undefined;
		await this.#tasks.until(AbortSignal.any([signal, refused]), (untilEnd) => {
			this.#tasks.add(this.#pulse.run(untilEnd));
			// Events first: they date the changes of nodes.
			for (const reports of events(this.#selection, decoder)) this.#follow(reports, untilEnd);
			this.#follow(nodes(decoder), untilEnd, early?.nodes);
			this.#follow(nodeLeases(decoder), untilEnd, early?.leases);
			const isInEndpoints = isLeaderInEndpoints(this.#selection.kubernetesVersion);
			this.#follow(isInEndpoints ? leaderEndpoints(decoder) : leaderLease(decoder), untilEnd);
			for (const pods of fixedCollections(this.#selection.pods, labelsOf(this.#selection), decoder)) {
				this.#follow(pods, untilEnd);
			}
			if (mayTaintDevices(this.#selection.kubernetesVersion)) this.#tasks.add(this.#followDevices(untilEnd));
			if (this.#followedPods) this.#tasks.add(this.#chooseUntil(untilEnd));
		});
		return refused.aborted && !signal.aborted;
	}

	#follow<T>(resource: Resource<T>, signal: AbortSignal, early?: EarlyList<T>): Followed {
		const listed = Promise.withResolvers<void>();
		const [identity, pulse] = [this.#identity, this.#pulse];
		const collection = this.#stream.add(resource, listed.resolve);
		const isWhole = resource.name === 'Pods' && resource.query['fieldSelector'] === undefined;
		const isDated = resource.isDated && isDatingWrites(this.#selection.kubernetesVersion);
		const reflector: Reflector<T> = new Reflector(
			{transport: this.#transport, timing: this.#timing, collection, identity, pulse},
			{...resource, isDated},
			{
				reportFlaw: this.#decoder.report,
				onProgress: isWhole ? this.#selection.onProgress : undefined,
				suspect: () => {
					for (const other of this.#reflectors) other.reopen();
				},
				contradicted: (since) => this.#tasks.add(this.#listAllAnew(since)),
				mayCompare: () => this.#takeTurn(reflector),
			},
			early,
		);
		this.#reflectors.add(reflector);
		const run = reflector.run(signal).finally(() => {
			this.#reflectors.delete(reflector);
			collection.remove();
		});
		this.#tasks.add(run);
		return {listed: listed.promise, known: () => reflector.known};
	}

	/**
	 * Follows the device objects once there are ResourceSlices. Most clusters have none, and are listed from time to time; a
	 * cluster without the API is asked once. What is forbidden becomes a problem of the followed collection.
	 */
	async #followDevices(signal: AbortSignal): Promise<void> {
		const found = await this.#find(
			(ends) => findDeviceResources(this.#transport, this.#decoder, ends),
			signal,
		);
		const slices = found.find(({name}) => name === 'ResourceSlices');
		// In releases with device evictions off by default, forbidden resources are no problem.
		const isOffByDefault = !taintsDevicesByDefault(this.#selection.kubernetesVersion);
		const mayFollow = async (resource: Resource<DeviceObject>) =>
			!isOffByDefault || Number.isFinite(await this.#count(resource, signal));
		for (;;) {
			const count = slices && (await this.#count(slices, signal));
			if (count === undefined || signal.aborted) return;
			if (count > 0 && (!isOffByDefault || Number.isFinite(count))) break;
			await this.#timing.sleep(devicesAgainAfter, signal);
		}
		for (const resource of found)
			if ((resource === slices || (await mayFollow(resource))) && !signal.aborted)
				this.#follow(resource, signal);
	}

	/** The number of objects; undefined if not served, infinite while the server fails: the reflector reports why, and retries. */
	#count(resource: Resource<DeviceObject>, signal: AbortSignal): Promise<number | undefined> {
		return list(this.#transport, resource, signal).then(
			({objects}) => objects.length,
			(error: unknown) => {
				if (signal.aborted || hasStatus(error, 404)) return undefined;
				if (!(error instanceof UserError)) throw error;
				return mayPass(error) ? Number.POSITIVE_INFINITY : 0;
			},
		);
	}

	/** Updates the followed nodes every second. */
	async #chooseUntil(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			// While watches are interrupted, a node without renewals may be healthy, but a list may show one that is not.
			if (this.#stream.hasBegun)
				this.#followedPods?.update(this.#stream.lostSince ?? this.#pulse.heardAt, signal);
			await this.#timing.sleep(second, signal);
		}
	}

	/** Follows the objects of node repair, if such an API is served. The first batch does not wait for them. */
	async #followRepair(signal: AbortSignal): Promise<void> {
		const found = await this.#find((ends) => findRepairResources(this.#transport, ends), signal);
		for (const resource of found) this.#follow(resource, signal);
	}

	/** Discovers collections, and retries until it succeeds. */
	async #find<T>(
		find: (signal: AbortSignal) => Promise<readonly Resource<T>[]>,
		signal: AbortSignal,
	): Promise<readonly Resource<T>[]> {
		while (!signal.aborted) {
			const found = await find(signal).catch((error: unknown) => {
				if (!(error instanceof UserError) && !signal.aborted) throw error;
				return hasStatus(error, 403) ? refusedPause : findingPause;
			});
			if (typeof found !== 'number') return found;
			await this.#timing.sleep(found, signal);
		}
		return [];
	}

	/**
	 * Lists everything anew: what holds one watch back holds others back too. As long as it lasts, that is done less and less often.
	 *
	 * @param since when the watches may have begun to leave something out
	 */
	async #listAllAnew(since: Instant): Promise<void> {
		if (this.#willList) return;
		this.#willList = true;
		const passed = this.#timing.elapsed() - this.#listedAnewAt;
		await this.#timing.sleep(Math.max(0, this.#untilNextList - passed), this.#tasks.signal);
		this.#willList = false;
		const isNew = passed > 2 * longestUntilList;
		this.#untilNextList = isNew ? firstUntilList : Math.min(longestUntilList, 2 * this.#untilNextList);
		this.#listedAnewAt = this.#timing.elapsed();
		for (const reflector of this.#reflectors) reflector.listAnew(since);
	}

	/** Whether a quiet collection may be listed now: one after the other, each after all others. */
	#takeTurn<T>(reflector: Reflector<T>): boolean {
		const now = this.#timing.elapsed();
		if (now - this.#comparedAt < comparisonSpacing) return false;
		this.#comparedAt = now;
		// The others come first next time.
		if (this.#reflectors.delete(reflector)) this.#reflectors.add(reflector);
		return true;
	}

	/** After silence, new requests use new connections, which may work. */
	#changeConnection(isSilent: boolean) {
		if (isSilent) this.#transport.distrustConnections();
		for (const reflector of this.#reflectors) {
			if (isSilent) reflector.loseConnection();
			else reflector.regainConnection();
		}
	}
}
