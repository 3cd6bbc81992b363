import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import type {Lease} from '../../../core/model/lease.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {EventEvidence, Registration} from '../eventEvidence.ts';
import {type Interval, width} from '../interval.ts';
import {acquiredAt, controllersStarted, holderClockOffset, judgeLeader, type Leader} from '../leader.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import type {ObservedTime} from '../observedTime.ts';
import {lastLongPass} from './groupIntoPasses.ts';
import {
	beganWith,
	callsOfFirstPass,
	observationOfNewNodes,
	type PassObservation,
	PassObservations,
	registrationSource,
} from './passObservations.ts';

/** How long an observation of a pass counts: every pass on the way adds to what is not known. */
const observationsCountFor: Duration = 3600 * second;
/** Of passes that met new nodes, so many of the latest are looked at. */
const latestRegistrations = 5;

/** What is known of the run of the controllers: who leads, since when, and what showed their monitor passes. */
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

	/** The first pass of the controllers that run now, where their events show it. */
	get firstPass(): Registration | undefined {
		return this.#firstPass;
	}

	/** When the controllers that run now started; from the beginning of time where that cannot be seen. */
	get started(): Interval {
		return controllersStarted(this.#acquired, this.#firstPass, this.#settings);
	}

	leader(now: Instant, seen: ObservedTime): Leader {
		return judgeLeader(this.#leaderLease, now, seen);
	}

	isSameLeader({acquireTime}: Lease): boolean {
		return acquireTime === this.#leaderLease?.acquireTime;
	}

	/** Takes in the leader lease; true where another one leads than was known. */
	applyLeader(lease: Lease): boolean {
		const isNew = this.#leaderLease !== undefined && !this.isSameLeader(lease);
		this.#leaderLease = lease;
		this.#events.isClockRight = width(holderClockOffset(lease)) === 0;
		return isNew;
	}

	/** Looks for the first pass of the controllers that run now. */
	findFirstPass(nodes: ReadonlyMap<string, NodeEvidence>): void {
		this.#firstPass = this.#events.firstPass(nodes, this.#acquired);
	}

	get #acquired(): Interval | undefined {
		return this.#leaderLease && acquiredAt(this.#leaderLease);
	}

	/** A pass set a node with so many pods to Unknown. */
	sawUnknown(node: string, pods: number, at: Interval, isReported: boolean, now: Instant): void {
		// A status write, two taint writes, and a write and an event for each pod.
		const calls = 2 * pods + 5;
		const source = isReported ? `the event NodeNotReady of node ${node}` : `node ${node} turned Unknown`;
		this.#observations.saw('unknown', node, {at, calls, source}, now);
	}

	/** Forgets the passes that showed: whether there were others between them is not known any more. */
	forgetObservations(): void {
		this.#observations = new PassObservations();
	}

	/** A pass took the taint off a node. */
	sawCleared(node: string, at: Interval, now: Instant): void {
		const source = `the taint of node ${node} was taken off`;
		this.#observations.saw('cleared', node, {at, calls: 4, source}, now);
	}

	/** Until when the last pass was at work that lasted so long that it may have tainted nodes in its course. */
	get lastLongPass(): Instant {
		return lastLongPass(this.#observations.since(this.started.lo), this.#settings);
	}

	/** All observations of monitor passes of the controllers that run now. */
	observations(nodes: ReadonlyMap<string, NodeEvidence>, now: Instant): readonly PassObservation[] {
		const {lo} = this.started;
		const oldest = now - observationsCountFor;
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
		// Whether the caches were full at the first look, and so the wait before it, is chance.
		const byLease = {lo, hi: hi + this.#settings.firstPassAfter};
		const pass = this.#firstPass;
		const byEvents = pass && beganWith(pass, nodes.values(), this.#settings);
		const at = byEvents ? {lo: Math.max(byEvents.lo, byLease.lo), hi: byEvents.hi} : byLease;
		const source = pass ? registrationSource(pass) : `the controllers' start`;
		return [{at, calls: callsOfFirstPass(nodes.values(), at), isFirst: true, source}];
	}
}
