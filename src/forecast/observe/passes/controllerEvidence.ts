import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {hasNewLeader, type Lease} from '../../../core/model/lease.ts';
import {isReadyNode} from '../../../core/model/node.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {type EventEvidence, keptFor, type Registration} from '../eventEvidence.ts';
import {type Interval, width} from '../interval.ts';
import {perCall, reportedCallDuration} from '../latencies.ts';
import {acquiredAt, controllersStarted, holderClockOffset, judgeLeader, type Leader} from '../leader.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import type {ObservedTime} from '../observedTime.ts';
import {callsToClear, callsToMark} from './passCalls.ts';
import {type PassDuringTaints, passesDuringTaints} from './passesDuringTaints.ts';
import {type PassObservation, PassObservations} from './passObservations.ts';

/** How many of the latest passes that registered nodes are used. */
const latestRegistrations = 5;

/** Keeps what is known of the running controllers: who leads, since when, and observations of their monitor passes. */
export class ControllerEvidence {
	readonly #settings: ControllerSettings;
	readonly #events: EventEvidence;
	#observations = new PassObservations();
	#leaderLease: Lease | undefined;
	#acquired: Interval | undefined;
	#firstPass: Registration | undefined;

	constructor(settings: ControllerSettings, events: EventEvidence) {
		this.#settings = settings;
		this.#events = events;
	}

	/** The first pass of the running controllers, if events show it. */
	get firstPass(): Registration | undefined {
		return this.#firstPass;
	}

	/** When the running controllers started; minus infinity if unknown. */
	get started(): Interval {
		return controllersStarted(this.#acquired, this.#firstPass, this.#settings);
	}

	leader(now: Instant, seen: Pick<ObservedTime, 'between'>): Leader {
		return judgeLeader(this.#leaderLease, now, seen);
	}

	isSameLeader({acquireTime}: Lease) {
		return acquireTime === this.#leaderLease?.acquireTime;
	}

	/** Takes in the leader lease; returns whether the leader has changed. */
	applyLeader(lease: Lease): boolean {
		const isNew = hasNewLeader(this.#leaderLease, lease);
		this.#leaderLease = lease;
		this.#acquired = acquiredAt(lease);
		this.#events.isClockRight = width(holderClockOffset(lease)) === 0;
		return isNew;
	}

	/** Looks for the first pass of the running controllers. */
	findFirstPass(nodes: ReadonlyMap<string, NodeEvidence>) {
		this.#firstPass = this.#events.firstPass(nodes, this.#acquired);
	}

	sawUnknown(node: string, pods: number, at: Interval, isReported: boolean, now: Instant) {
		const calls = callsToMark(pods, this.#settings);
		const source = isReported ? `the event NodeNotReady of node ${node}` : `node ${node} turned Unknown`;
		this.#observations.saw('unknown', node, {node, at, calls, source}, now);
	}

	/** Forgets all observations of passes, since others may have been missed. */
	forgetObservations() {
		this.#observations = new PassObservations();
	}

	sawCleared(node: string, at: Interval, now: Instant) {
		const source = `the taint of node ${node} was removed`;
		this.#observations.saw('cleared', node, {node, at, calls: callsToClear, source}, now);
	}

	/** The passes that may have taken so long that nodes were tainted meanwhile. */
	get passesDuringTaints(): readonly PassDuringTaints[] {
		return passesDuringTaints(this.#observations.since(this.started.lo), this.#settings);
	}

	/** All observations of monitor passes of the running controllers. */
	observations(nodes: ReadonlyMap<string, NodeEvidence>, now: Instant): readonly PassObservation[] {
		const {lo} = this.started;
		const oldest = now - keptFor;
		const met = this.#events.registrations
			.slice(-latestRegistrations)
			.filter((one) => one !== this.#firstPass && one.first.at.lo > oldest)
			.map(observationOfNewNodes);
		const others = [...met, ...this.#observations.since(oldest)].filter(({at}) => at.hi >= lo);
		return [...this.#firstObservations(nodes), ...others];
	}

	#firstObservations(nodes: ReadonlyMap<string, NodeEvidence>): readonly PassObservation[] {
		const {lo, hi} = this.started;
		if (!Number.isFinite(lo)) return [];
		// The first pass comes at once, or after a wait if the caches were not full in time.
		const byLease = {lo, hi: hi + this.#settings.firstPassAfter};
		const pass = this.#firstPass;
		const byEvents = pass && beganWith(pass, nodes.values(), this.#settings);
		const at = byEvents ? {lo: Math.max(byEvents.lo, byLease.lo), hi: byEvents.hi} : byLease;
		const source = pass ? registrationSource(pass) : `the controllers' start`;
		return [{at, calls: callsOfFirstPass(nodes.values(), at), isFirst: true, source}];
	}
}

/** The calls of the first pass of new controllers: it registers all nodes, and removes the taints of those that have any. */
function callsOfFirstPass(nodes: Iterable<NodeEvidence>, at: Interval): number {
	let [met, cleared] = [0, 0];
	for (const one of nodes) {
		if (one.node.createdAt > at.hi) continue;
		met += 1;
		if (wasDown(one, at.lo)) cleared += 1;
	}
	// Events use the client too.
	return cleared === 0 ? 0 : cleared * callsToClear + met;
}

/** When a pass that registered nodes began, allowing for taints that it may have removed unseen before. */
function beganWith(
	{first, nodes}: Registration,
	known: Iterable<NodeEvidence>,
	settings: ControllerSettings,
): Interval {
	let unseen = 0;
	for (const one of known) {
		const {name, createdAt} = one.node;
		if (createdAt <= first.at.hi && !nodes.has(name) && !wasReadySince(one, first.at.lo)) unseen += 1;
	}
	const call = reportedCallDuration + perCall(settings);
	return {lo: first.at.lo - unseen * callsToClear * call, hi: first.at.hi};
}

/** A pass that only registered new nodes, as an observation. */
const observationOfNewNodes = (pass: Registration): PassObservation => ({
	at: pass.first.at,
	calls: 0,
	isFirst: true,
	source: registrationSource(pass),
});

/** The source of a registration, in words. */
const registrationSource = ({first}: Registration): string =>
	`the event RegisteredNode of node ${first.event.about}`;

/** Whether a node has certainly been ready since an instant. */
const wasReadySince = ({node, readyChangedAt}: NodeEvidence, instant: Instant) =>
	isReadyNode(node) && (readyChangedAt === undefined || readyChangedAt.hi < instant);

/** Whether a node was probably down at an instant, and so had a taint. */
function wasDown({node, readyChangedAt}: NodeEvidence, instant: Instant) {
	if (!readyChangedAt) return !isReadyNode(node);
	const isReady = isReadyNode(node);
	return isReady ? readyChangedAt.hi >= instant : readyChangedAt.lo <= instant;
}
