import {countUnhealthy} from '../../../src/core/noderepair/nodeRepair.ts';
import type {Repairer} from '../../../src/core/noderepair/repairer.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Action} from '../vector.ts';
import {MachinePlayer} from './machinePlayer.ts';
import type {RepairScenario} from './vector.ts';

/** How long each look takes to write its status, in milliseconds. */
export const writing = 500;

/** Plays a scenario of OpenShift's MachineHealthChecks through the port; returns its actions. */
export const playMachines = (scenario: RepairScenario): readonly Action[] =>
	new OpenShiftPlayer(scenario, 'machine.openshift.io').play();

/** Looks at a check when one of its nodes changes, and when the last look scheduled the next, as the real work queue does. */
class OpenShiftPlayer extends MachinePlayer {
	/** When a check's limit last blocked a repair, by check. */
	readonly #blockedAt = new Map<string, Instant>();
	/** The pending looks; each is queued once. */
	readonly #looks = new Set<string>();
	/** The next look of each blocked check. */
	readonly #looksAgain = new Map<string, Instant>();

	protected startAnew(): void {
		this.#blockedAt.clear();
		this.#look();
	}

	protected written(check: string): void {
		this.#look(({name}) => name === check);
	}

	protected due(check: string): void {
		this.#looks.delete(`${check} ${this.loop.now}`);
		this.written(check);
	}

	#look(isMeant: (repairer: Repairer) => boolean = () => true): void {
		for (const repairer of this.repairers) if (isMeant(repairer)) this.#lookAt(repairer);
	}

	#lookAgainAt(at: Instant, check: string): void {
		if (this.#looks.has(`${check} ${at}`)) return;
		this.#looks.add(`${check} ${at}`);
		this.loop.schedule(at, check);
	}

	#lookAt(repairer: Repairer): void {
		const {now} = this.loop;
		if (!countUnhealthy(repairer, (name) => this.nodes.get(name)).isAllowed) {
			const last = this.#blockedAt.get(repairer.name);
			const detail = repairer.name.split('/').at(-1) ?? '';
			if (last === undefined || now - last > second)
				this.add({kind: 'repair-blocked', detail}, now + writing);
			this.#blockedAt.set(repairer.name, now);
			if ((this.#looksAgain.get(repairer.name) ?? now) > now) return;
			this.#looksAgain.set(repairer.name, now + writing);
			this.#lookAgainAt(now + writing, repairer.name);
			return;
		}
		for (const {machine, due} of this.targetsOf(repairer)) {
			// Its next look is a second after the end, counted from this look's write.
			if (due !== undefined && now <= due) this.#lookAgainAt(due + second + writing, repairer.name);
			else if (due !== undefined) this.#repair(machine.name, repairer);
			else if (this.hasTemplate(repairer)) this.requested.delete(machine.name);
		}
	}

	#repair(name: string, repairer: Repairer): void {
		const machine = [...this.machines.values()].find((one) => one.name === name);
		if (!machine) return;
		const at = this.loop.now + writing;
		if (this.hasTemplate(repairer)) {
			if (this.requested.has(name)) return;
			this.requested.add(name);
			this.add({kind: 'remediation-requested', detail: name}, at);
		} else if (repairer.doubt !== undefined && machine.failure === undefined) {
			if (machine.isBeingRepaired) return;
			this.add({kind: 'remediation-requested', detail: name}, at);
			this.put({...machine, isBeingRepaired: true});
			this.#lookAgainAt(this.loop.now, repairer.name);
		} else if (machine.isControlled && machine.deletionTimestamp === undefined) {
			this.add({kind: 'machine-deleted', detail: name}, at);
			this.put({...machine, deletionTimestamp: this.loop.now});
			this.#lookAgainAt(this.loop.now, repairer.name);
		}
	}
}
