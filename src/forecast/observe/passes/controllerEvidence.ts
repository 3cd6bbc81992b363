import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {hasNewLeader, type Lease} from '../../../core/model/lease.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {type EventEvidence, keptFor, type Registration} from '../eventEvidence.ts';
import {type Interval, width} from '../interval.ts';
import {acquiredAt, controllersStarted, holderClockOffset, judgeLeader, type Leader} from '../leader.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import type {ObservedTime} from '../observedTime.ts';
import {callsToClear, callsToMark} from './passCalls.ts';
import {type PassDuringTaints, passesDuringTaints} from './passesDuringTaints.ts';
import {type PassObservation, PassObservations} from './passObservations.ts';
import {beganWith, callsOfFirstPass, observationOfNewNodes, registrationSource} from './registeringPasses.ts';

/** How many of the latest passes that registered nodes are used. */
const latestRegistrations = 5;

/** Keeps what is known of the running controllers: who leads, since when, and observations of their monitor passes. */
export class ControllerEvidence {
	readonly #settings: ControllerSettings;
	readonly #events: EventEvidence;
	#observations = new PassObservations();
	#leaderLease: Lease | undefined;
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

	leader(now: Instant, seen: ObservedTime): Leader {
		return judgeLeader(this.#leaderLease, now, seen);
	}

	isSameLeader({acquireTime}: Lease): boolean {
		return acquireTime === this.#leaderLease?.acquireTime;
	}

	/** Takes in the leader lease; returns whether the leader has changed. */
	applyLeader(lease: Lease): boolean {
		const isNew = hasNewLeader(this.#leaderLease, lease);
		this.#leaderLease = lease;
		this.#events.isClockRight = width(holderClockOffset(lease)) === 0;
		return isNew;
	}

	/** Looks for the first pass of the running controllers. */
	findFirstPass(nodes: ReadonlyMap<string, NodeEvidence>): void {
		this.#firstPass = this.#events.firstPass(nodes, this.#acquired);
	}

	get #acquired(): Interval | undefined {
		return this.#leaderLease && acquiredAt(this.#leaderLease);
	}

	/** Takes in that a pass turned a node Unknown. */
	sawUnknown(node: string, pods: number, at: Interval, isReported: boolean, now: Instant): void {
		const calls = callsToMark(pods, this.#settings);
		const source = isReported ? `the event NodeNotReady of node ${node}` : `node ${node} turned Unknown`;
		this.#observations.saw('unknown', node, {node, at, calls, source}, now);
	}

	/** Forgets all observations of passes, since others may have been missed. */
	forgetObservations(): void {
		this.#observations = new PassObservations();
	}

	/** Takes in that a pass removed the taint of a node. */
	sawCleared(node: string, at: Interval, now: Instant): void {
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
