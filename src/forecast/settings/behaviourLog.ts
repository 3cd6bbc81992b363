import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {ownTaint, wasCleared} from '../ownTaint.ts';
import type {Behaviour, Recovery, SeenPass, Silence, TaintPair, ZoneVerdict} from './behaviour.ts';
import {NodeTrack} from './nodeTrack.ts';
import {Steadiness} from './steadiness.ts';
import {WriteTrack} from './writeTrack.ts';
import {ZoneTrack} from './zoneTrack.ts';

/** How long a watch takes to bring word of a change, at the most. */
const delivery: Duration = second / 10;
/** By how much the clocks of the control plane and of this machine may differ. */
const clockSkew: Duration = 3 * second;
/** Passes are no farther apart than this, unless they have a lot to write. */
const settling: Duration = 30 * second;
/** So long a pass that has a lot to write may go on with a zone's old rate. */
const longPass: Duration = 5 * minute;
/** So long after its last write a pass keeps nobody waiting. */
const aWhile: Duration = 10 * second;
const mostSightings = 50;

/** Gathers what a watch shows of the controllers' behaviour. What is not certain is left out. */
export class BehaviourLog {
	readonly #nodes = new Map<string, NodeTrack>();
	readonly #zones = new Map<string, ZoneTrack>();
	readonly #steadiness = new Steadiness();
	readonly #lifecycleWrites = new WriteTrack('node lifecycle controller');
	readonly #evictionWrites = new WriteTrack('taint-eviction controller');
	readonly #pods = new Map<string, Pod>();
	/** The last write that a monitor pass made: Unknown, or a pod that is not ready. */
	#lastPassWrite: Instant = Number.NEGATIVE_INFINITY;
	#startedAt: Instant = Number.POSITIVE_INFINITY;
	/** When all zones were down for the last time, and a while more. */
	#lastAllDown: Instant = Number.NEGATIVE_INFINITY;
	#wereAllDown = false;
	/** When any kubelet was last seen to renew. */
	#lastRenewal: Instant = Number.NEGATIVE_INFINITY;
	/** Why the zones must be counted again; undefined where they need not. */
	#recount: 'unknown' | 'other' | undefined;
	#silences: readonly Silence[] = [];
	#recoveries: readonly Recovery[] = [];
	#passes: readonly SeenPass[] = [];
	#taintPairs: readonly TaintPair[] = [];
	#zoneVerdicts: readonly ZoneVerdict[] = [];

	/** How many nodes there are. */
	get nodeCount(): number {
		return this.#nodes.size;
	}

	/** Takes in what a watch brought. The first batch is the state as the watch found it, and shows no behaviour. */
	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		const isFirst = this.#startedAt === Number.POSITIVE_INFINITY;
		if (isFirst) this.#startedAt = arrivedAt;
		this.#recount = undefined;
		for (const observation of observations) this.#observe(observation, arrivedAt, isFirst);
		// Once a batch: the first one may bring thousands of nodes.
		if (this.#recount) this.#countZones(arrivedAt, this.#recount);
	}

	/** All that was seen up to an instant. */
	behaviourAt(now: Instant): Behaviour {
		return {
			silences: this.#silences,
			recoveries: this.#recoveries,
			passes: this.#passes,
			taintPairs: this.#taintPairs,
			zoneVerdicts: [...this.#zoneVerdicts, ...this.#stoppedZones(now)],
			bursts: [...this.#lifecycleWrites.bursts, ...this.#evictionWrites.bursts],
		};
	}

	#observe(observation: Observation, arrivedAt: Instant, isFirst: boolean): void {
		switch (observation.type) {
			case 'leaseApplied':
				this.#applyLease(observation.lease, arrivedAt);
				break;
			case 'nodeApplied':
				this.#applyNode(observation.node, arrivedAt, isFirst);
				break;
			case 'nodeDeleted':
				this.#removeNode(observation.name, arrivedAt);
				break;
			case 'podApplied':
				this.#applyPod(observation.pod, arrivedAt, isFirst);
				break;
			case 'podDeleted':
				this.#pods.delete(podKey(observation));
				break;
			case 'leaseDeleted':
				break;
		}
	}

	#applyLease(lease: Lease, arrivedAt: Instant): void {
		if (isControllerManagerLease(lease)) this.#steadiness.observe(lease, arrivedAt);
		else if (lease.namespace === nodeLeaseNamespace && lease.renewTime !== undefined) {
			this.#nodes.get(lease.name)?.renewed(lease.renewTime, arrivedAt, delivery);
			this.#lastRenewal = arrivedAt;
		}
	}

	#applyNode(node: Node, arrivedAt: Instant, isFirst: boolean): void {
		const known = this.#nodes.get(node.name);
		const before = known?.node.uid === node.uid ? known.node : undefined;
		const track = known && before ? known : new NodeTrack(node, arrivedAt);
		if (track !== known) this.#nodes.set(node.name, track);
		const [oldStatus, status] = [before && statusOf(before), statusOf(node)];
		const turnedUnknown = before !== undefined && status === 'Unknown' && oldStatus !== 'Unknown';
		if (before && !isFirst) this.#compare(track, before, node, arrivedAt);
		track.applied(node, arrivedAt, delivery);
		if (!before || oldStatus !== status || zoneKey(before) !== zoneKey(node)) {
			if (before && zoneKey(before) !== zoneKey(node)) this.#lose(zoneKey(before), arrivedAt);
			if (before && oldStatus !== 'True' && status === 'True') this.#lose(zoneKey(node), arrivedAt);
			this.#recount = turnedUnknown && this.#recount !== 'other' ? 'unknown' : 'other';
		}
	}

	#compare(track: NodeTrack, before: Node, node: Node, arrivedAt: Instant): void {
		const seen = {lo: arrivedAt - delivery, hi: arrivedAt};
		const ready = nodeCondition(node, 'Ready');
		if (ready?.status === 'Unknown' && statusOf(before) !== 'Unknown') {
			if (isRecent(ready.lastTransitionTime, arrivedAt)) this.#fellSilent(track, seen);
			this.#passWrote(arrivedAt);
		}
		if (wasCleared(before, node)) this.#wasCleared(track, seen);
		const [old, own] = [ownTaint(before), ownTaint(node)];
		if (own && !old && isRecent(own.timeAdded, arrivedAt)) this.#wasTainted(track, seen);
		if (own?.key !== old?.key) this.#lifecycleWrites.add(arrivedAt);
	}

	#fellSilent(track: NodeTrack, unknown: Interval): void {
		const quietSince = this.#quietSince(unknown.lo);
		const {lastSign, lastPost, node} = track;
		if (lastSign) this.#keepSilence({node: node.name, lastSign, lastPost, unknown, quietSince});
		this.#sawPass(unknown);
	}

	/** Of a thousand nodes that turn Unknown together, nearly all show nothing but that it took its time. */
	#keepSilence(silence: Silence): void {
		const longest = ({unknown, lastSign}: Silence) => unknown.hi - lastSign.lo;
		const isQuiet = silence.quietSince < silence.lastSign.lo;
		if (!isQuiet && this.#silences.some((other) => longest(other) <= longest(silence))) return;
		this.#silences = keep(this.#silences, silence);
	}

	#wasCleared(track: NodeTrack, cleared: Interval): void {
		const quietSince = this.#quietSince(cleared.lo);
		const {readyAt: ready, node} = track;
		if (ready) this.#recoveries = keep(this.#recoveries, {node: node.name, ready, cleared, quietSince});
		this.#sawPass(cleared);
	}

	/** A pass is only known to the instant where nothing kept its writes waiting. */
	#sawPass(at: Interval): void {
		const since = at.lo - minute;
		if (this.#undisturbedSince(at.lo) > since || !this.#lifecycleWrites.areFewSince(since)) return;
		const [writesBefore, steadySince] = [this.#lifecycleWrites.count, this.#steadiness.sinceAt(at.hi)];
		this.#passes = keep(this.#passes, {at, writesBefore, steadySince});
	}

	#wasTainted(track: NodeTrack, second: Interval): void {
		const name = zoneKey(track.node);
		const zone = this.#zones.get(name);
		if (!zone) return;
		const first = zone.lastTaint;
		const isQuiet = zone.wasQuiet && this.#lastPassWrite < second.lo - aWhile;
		zone.lastTaint = second;
		zone.wasQuiet = this.#lastPassWrite < second.lo - aWhile;
		this.#judgeEvictingZone(name, zone, second);
		const isSteady = this.#steadiness.sinceAt(second.hi);
		// The node waited already when the first one went, or its zone's queue may have been empty since.
		const waitedBefore = first && (track.waitingSince ?? Number.POSITIVE_INFINITY) < first.lo - settling / 3;
		const start = (first?.lo ?? 0) - settling;
		if (!first || !waitedBefore || isSteady > start || this.#startedAt > start || zone.lastLoss > start)
			return;
		const isAtFullRate = zone.isAtFullRateSince(first.lo - longPass);
		if (!isAtFullRate && !zone.isUnchangedSince(start)) return;
		const {largestSize} = zone;
		this.#taintPairs = keep(this.#taintPairs, {
			zone: name,
			first,
			second,
			isQuiet,
			isAtFullRate,
			largestSize,
		});
	}

	#judgeEvictingZone(zone: string, track: ZoneTrack, taint: Interval): void {
		const from = taint.lo - settling;
		const partial = track.partialSince(from);
		if (!partial || this.#lastPassWrite > from || this.#startedAt > from) return;
		if (this.#steadiness.sinceAt(taint.hi) > from) return;
		const least = partial.reduce((a, b) => (b.notReady / b.size < a.notReady / a.size ? b : a));
		const {largestSize} = track;
		const {notReady, size} = least;
		this.#zoneVerdicts = keep(this.#zoneVerdicts, {
			zone,
			evicts: true,
			notReady,
			size,
			largestSize,
			watched: 0,
		});
	}

	#stoppedZones(now: Instant): readonly ZoneVerdict[] {
		return [...this.#zones].flatMap(([zone, track]) => {
			const partialFrom = track.partialFrom;
			const waiting = this.#waitingSince(zone);
			if (partialFrom === undefined || waiting === undefined) return [];
			const from = Math.max(
				partialFrom,
				waiting,
				track.lastTaint?.hi ?? this.#startedAt,
				track.lastLoss,
				this.#lastPassWrite,
				this.#steadiness.sinceAt(now),
			);
			if (from >= now) return [];
			const most = (track.partialSince(from) ?? []).toSorted(
				(a, b) => b.notReady / b.size - a.notReady / a.size,
			)[0];
			if (!most) return [];
			const {notReady, size} = most;
			const {largestSize} = track;
			return [{zone, evicts: false, notReady, size, largestSize, watched: now - from}];
		});
	}

	/** Since when some node of a zone has been waiting for its taint. */
	#waitingSince(zone: string): Instant | undefined {
		const waiting = [...this.#nodes.values()]
			.filter(({node}) => zoneKey(node) === zone)
			.flatMap(({waitingSince}) => waitingSince ?? []);
		return waiting.length === 0 ? undefined : Math.min(...waiting);
	}

	#applyPod(pod: Pod, arrivedAt: Instant, isFirst: boolean): void {
		const key = podKey(pod);
		const before = this.#pods.get(key);
		this.#pods.set(key, pod);
		if (isFirst || before?.uid !== pod.uid) return;
		const node = this.#nodes.get(pod.nodeName)?.node;
		const isUnwell = node !== undefined && statusOf(node) !== 'True';
		if (isUnwell && before.ready === 'True' && pod.ready === 'False') this.#passWrote(arrivedAt);
		const wasMarked = pod.isDisruptionTarget === true && before.isDisruptionTarget !== true;
		if (isUnwell && wasMarked) this.#evictionWrites.add(arrivedAt);
		const wasDeleted = pod.deletionTimestamp !== undefined && before.deletionTimestamp === undefined;
		if (isUnwell && wasDeleted && pod.isDisruptionTarget === true) this.#evictionWrites.add(arrivedAt);
	}

	#removeNode(name: string, arrivedAt: Instant): void {
		const track = this.#nodes.get(name);
		this.#nodes.delete(name);
		if (!track) return;
		this.#lose(zoneKey(track.node), arrivedAt);
		this.#recount = 'other';
	}

	#lose(zone: string, at: Instant): void {
		const track = this.#zones.get(zone);
		if (track) track.lastLoss = at;
	}

	#passWrote(at: Instant): void {
		this.#lifecycleWrites.add(at);
		this.#lastPassWrite = at;
	}

	/** Since when the controllers have been at work with nothing that could have kept them waiting. */
	#quietSince(now: Instant): Instant {
		return Math.max(this.#undisturbedSince(now), this.#lifecycleWrites.lastAt);
	}

	/** The same, but for what they had to write. */
	#undisturbedSince(now: Instant): Instant {
		// Where no lease is seen any more, it may be the watch that is silent.
		if (now - this.#lastRenewal > settling) return Number.POSITIVE_INFINITY;
		return Math.max(this.#steadiness.sinceAt(now), this.#startedAt, this.#lastAllDown);
	}

	#countZones(since: Instant, reason: 'unknown' | 'other'): void {
		const counts = new Map<string, {size: number; notReady: number}>();
		for (const {node} of this.#nodes.values()) {
			if (isExcludedFromDisruptionChecks(node)) continue;
			const zone = zoneKey(node);
			const {size, notReady} = counts.get(zone) ?? {size: 0, notReady: 0};
			counts.set(zone, {size: size + 1, notReady: notReady + (statusOf(node) === 'True' ? 0 : 1)});
		}
		const anyReady = [...counts.values()].some(({size, notReady}) => notReady < size);
		// When the last zone comes back, the controller forgets since when it has not heard of its nodes.
		if (!anyReady || this.#wereAllDown) this.#lastAllDown = since + settling;
		this.#wereAllDown = !anyReady;
		for (const [zone, count] of counts) {
			const track = this.#zones.get(zone) ?? new ZoneTrack();
			this.#zones.set(zone, track);
			track.count({...count, since, anyReady, reason});
		}
	}
}

const statusOf = (node: Node) => nodeCondition(node, 'Ready')?.status;

const keep = <T>(sightings: readonly T[], one: T): readonly T[] => [...sightings, one].slice(-mostSightings);

/** Whether an object tells that it was changed just now: what arrives late is no measure of time. */
const isRecent = (time: Instant | undefined, arrivedAt: Instant): boolean =>
	time !== undefined && Math.abs(arrivedAt - time) <= clockSkew;
