import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../../core/model/lease.ts';
import {type Node, nodeCondition, readyStatus} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {defaultSettings} from '../../../core/model/versionProfile.ts';
import {withKnownZoneLabels, zoneKey} from '../../../core/model/zone.ts';
import type {ExclusionRules} from '../../../core/nodelifecycle/nodeLabels.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../../core/time/instant.ts';
import type {StoreChange} from '../../../store/change.ts';
import type {Interval} from '../../observe/interval.ts';
import {watchDelivery} from '../../observe/latencies.ts';
import {lifecycleTaint, wasCleared} from '../../observe/nodes/lifecycleTaint.ts';
import {type Behaviour, keep, type Recovery, type SeenPass, type Silence} from './behaviour.ts';
import {NodeTrack} from './nodeTrack.ts';
import {Steadiness} from './steadiness.ts';
import {WriteTrack} from './writeTrack.ts';
import {longestQuietPeriod, ZoneLog, type ZoneWatch} from './zoneLog.ts';

/** How much the clocks of the control plane and of this machine may differ. */
const clockSkew: Duration = 3 * second;

type LogSettings = ExclusionRules & Pick<ControllerSettings, 'stableZoneLabels' | 'taintBasedEvictions'>;

/** Collects what a watch shows of the controllers' behaviour, as far as certain. */
export class BehaviourLog {
	readonly #settings: LogSettings;
	readonly #nodes = new Map<string, NodeTrack>();
	readonly #zones = new ZoneLog();
	readonly #steadiness = new Steadiness();
	readonly #lifecycleWrites = new WriteTrack('node lifecycle controller');
	readonly #evictionWrites = new WriteTrack('taint-eviction controller');
	/** The last write that a monitor pass made: Unknown, or a pod that is not ready. */
	#lastPassWrite: Instant = beginningOfTime;
	/** How long ago the observed changes may have happened. */
	#delay: Duration = watchDelivery;
	#startedAt: Instant = never;
	/** When a renewal of any kubelet was last seen. */
	#renewalSeenAt: Instant = beginningOfTime;
	/** Why the zones must be counted again; undefined if they need not. */
	#recount: 'unknown' | 'other' | undefined;
	#silences: readonly Silence[] = [];
	#recoveries: readonly Recovery[] = [];
	#passes: readonly SeenPass[] = [];

	/** @param settings rules of the release: which nodes count, and whether taints show what zones do */
	constructor(settings: LogSettings = defaultSettings) {
		this.#settings = settings;
	}

	/** Takes in changes of a watch; the first batch is the initial list. @param since the earliest time of the changes */
	observe(changes: readonly StoreChange[], arrivedAt: Instant, since: Instant = arrivedAt): void {
		this.#delay = Math.max(watchDelivery, arrivedAt - since);
		// Writes that were read together may have been made at different times.
		if (this.#delay > watchDelivery) this.#interruptBursts();
		const isFirst = this.#startedAt === never;
		if (isFirst) this.#startedAt = arrivedAt;
		this.#recount = undefined;
		for (const change of changes) this.#observe(change, arrivedAt, isFirst);
		// Counted once per batch: the first one may bring thousands of nodes.
		if (this.#recount) {
			this.#zones.count(this.#nodes.values(), arrivedAt, this.#recount, this.#settings);
		}
	}

	/** Takes in that pods changed at some time until now: a pass may have written, and no burst is complete. */
	missedPods(arrivedAt: Instant): void {
		this.#passWrote(arrivedAt);
		this.#interruptBursts();
	}

	#interruptBursts(): void {
		this.#lifecycleWrites.interrupt();
		this.#evictionWrites.interrupt();
	}

	get #watched(): ZoneWatch {
		return {startedAt: this.#startedAt, lastPassWrite: this.#lastPassWrite, steadiness: this.#steadiness};
	}

	/** All that was seen up to an instant. */
	behaviourAt(now: Instant): Behaviour {
		return {
			silences: this.#silences,
			recoveries: this.#recoveries,
			passes: this.#passes,
			taintPairs: this.#zones.taintPairs,
			// If nodes are not tainted, a missing taint shows nothing about a zone.
			zoneVerdicts: this.#settings.taintBasedEvictions
				? this.#zones.verdictsAt(now, this.#nodes.values(), this.#watched)
				: [],
			bursts: [...this.#lifecycleWrites.bursts, ...this.#evictionWrites.bursts],
		};
	}

	#observe(change: StoreChange, arrivedAt: Instant, isFirst: boolean): void {
		switch (change.type) {
			case 'leaseApplied':
				this.#applyLease(change.lease, arrivedAt);
				break;
			case 'nodeApplied':
				this.#applyNode(change.node, arrivedAt, isFirst);
				break;
			case 'nodeDeleted':
				this.#removeNode(change.name, arrivedAt);
				break;
			case 'podApplied':
				if (!isFirst) this.#comparePods(change.before, change.pod, arrivedAt);
				break;
		}
	}

	#applyLease(lease: Lease, arrivedAt: Instant): void {
		if (isControllerManagerLease(lease)) this.#steadiness.observe(lease, arrivedAt);
		else if (lease.namespace === nodeLeaseNamespace && lease.renewTime !== undefined) {
			this.#nodes.get(lease.name)?.renewed(lease.renewTime, arrivedAt, this.#delay);
			this.#renewalSeenAt = arrivedAt;
		}
	}

	#applyNode(given: Node, arrivedAt: Instant, isFirst: boolean): void {
		const node = withKnownZoneLabels(given, this.#settings);
		const known = this.#nodes.get(node.name);
		const before = known?.node.uid === node.uid ? known.node : undefined;
		const track = known && before ? known : new NodeTrack(node, arrivedAt);
		if (track !== known) this.#nodes.set(node.name, track);
		const [oldStatus, status] = [before && readyStatus(before), readyStatus(node)];
		const turnedUnknown = before !== undefined && status === 'Unknown' && oldStatus !== 'Unknown';
		if (before && !isFirst) this.#compare(track, before, node, arrivedAt);
		track.applied(node, arrivedAt, this.#delay);
		if (!before || oldStatus !== status || zoneKey(before) !== zoneKey(node)) {
			if (before && zoneKey(before) !== zoneKey(node)) this.#zones.lost(zoneKey(before), arrivedAt);
			if (before && oldStatus !== 'True' && status === 'True') this.#zones.lost(zoneKey(node), arrivedAt);
			this.#recount = turnedUnknown && this.#recount !== 'other' ? 'unknown' : 'other';
		}
	}

	#compare(track: NodeTrack, before: Node, node: Node, arrivedAt: Instant): void {
		const seen = {lo: arrivedAt - this.#delay, hi: arrivedAt};
		const ready = nodeCondition(node, 'Ready');
		if (ready?.status === 'Unknown' && readyStatus(before) !== 'Unknown') {
			if (isRecent(ready.lastTransitionTime, arrivedAt)) this.#fellSilent(track, seen);
			this.#passWrote(arrivedAt);
		}
		if (wasCleared(before, node)) this.#wasCleared(track, seen);
		const [old, own] = [lifecycleTaint(before), lifecycleTaint(node)];
		if (own && !old && isRecent(own.timeAdded, arrivedAt)) this.#zones.tainted(track, seen, this.#watched);
		if (own?.key !== old?.key) this.#lifecycleWrites.add(arrivedAt);
	}

	#fellSilent(track: NodeTrack, unknown: Interval): void {
		// If no lease is renewed at all, the watch of leases may be broken.
		const areLeasesSeen = unknown.lo - this.#renewalSeenAt <= longestQuietPeriod;
		const quietSince = areLeasesSeen ? this.#quietSince(unknown.lo) : never;
		const {lastSign, lastPost, node} = track;
		if (lastSign) this.#keepSilence({node: node.name, lastSign, lastPost, unknown, quietSince});
		this.#sawPass(unknown);
	}

	/** Keeps a silence unless others show more: if a thousand nodes turn Unknown together, most are delayed. */
	#keepSilence(silence: Silence): void {
		const longest = ({unknown, lastSign}: Silence) => unknown.hi - lastSign.lo;
		const isQuiet = silence.quietSince < silence.lastSign.lo;
		if (!isQuiet && this.#silences.some((other) => longest(other) <= longest(silence))) return;
		this.#silences = keep(this.#silences, silence);
	}

	#wasCleared(track: NodeTrack, cleared: Interval): void {
		const quietSince = this.#quietSince(cleared.lo);
		const {readyAt: ready} = track;
		if (ready) this.#recoveries = keep(this.#recoveries, {ready, cleared, quietSince});
		this.#sawPass(cleared);
	}

	/** Keeps an observation of a pass, if nothing delayed its writes. */
	#sawPass(at: Interval): void {
		const since = at.lo - minute;
		if (this.#undisturbedSince(at.lo) > since || !this.#lifecycleWrites.areFewSince(since)) return;
		const [writesBefore, steadySince] = [this.#lifecycleWrites.count, this.#steadiness.sinceAt(at.hi)];
		this.#passes = keep(this.#passes, {at, writesBefore, steadySince});
	}

	#comparePods(before: Pod | undefined, pod: Pod, arrivedAt: Instant): void {
		if (before?.uid !== pod.uid) return;
		const node = this.#nodes.get(pod.nodeName)?.node;
		const isUnwell = node !== undefined && readyStatus(node) !== 'True';
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
		this.#zones.lost(zoneKey(track.node), arrivedAt);
		this.#recount = 'other';
	}

	#passWrote(at: Instant): void {
		this.#lifecycleWrites.add(at);
		this.#lastPassWrite = at;
	}

	/** Since when nothing could have delayed the controllers. */
	#quietSince(now: Instant): Instant {
		return Math.max(this.#undisturbedSince(now), this.#lifecycleWrites.lastAt);
	}

	/** Since when nothing but their own writes could have delayed the controllers. */
	#undisturbedSince(now: Instant): Instant {
		return Math.max(this.#steadiness.sinceAt(now), this.#startedAt, this.#zones.lastAllDown);
	}
}

/** Whether an object was changed just now, by its own time: late changes measure nothing. */
const isRecent = (time: Instant | undefined, arrivedAt: Instant): boolean =>
	time !== undefined && Math.abs(arrivedAt - time) <= clockSkew;
