import {countUnhealthy} from '../../../src/core/noderepair/nodeRepair.ts';
import type {Repairer} from '../../../src/core/noderepair/repairer.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Action} from '../vector.ts';
import {MachinePlayer} from './machinePlayer.ts';
import type {RepairScenario} from './vector.ts';

/** Plays a scenario of Cluster API's MachineHealthChecks through the port; returns its actions. */
export const playClusterMachines = (scenario: RepairScenario): readonly Action[] =>
	new ClusterPlayer(scenario, 'cluster.x-k8s.io').play();

/** The minimum time between two looks at a check, however many are requested. */
const interval = 15 * second;

/** Looks at a check when something of it changes, including its own status, and when the last look scheduled the next. */
class ClusterPlayer extends MachinePlayer {
	readonly #lastLook = new Map<string, Instant>();
	readonly #nextLook = new Map<string, Instant>();
	/** The status that the last look wrote, by check. */
	readonly #status = new Map<string, string>();
	/** The Machines that are marked for their owners to replace. */
	readonly #marked = new Set<string>();

	protected startAnew(): void {
		this.#lastLook.clear();
		this.#nextLook.clear();
		for (const {name} of this.repairers) this.#lookAt(name, this.loop.now);
	}

	protected written(check: string, isChanged: boolean): void {
		if (isChanged && this.repairers.some(({name}) => name === check)) this.#lookAt(check, this.loop.now);
	}

	protected due(check: string): void {
		if (this.#nextLook.get(check) !== this.loop.now) return;
		this.#nextLook.delete(check);
		const repairer = this.repairers.find(({name}) => name === check);
		if (repairer) this.#look(repairer);
	}

	#lookAt(check: string, wanted: Instant): void {
		const last = this.#lastLook.get(check);
		const at = last === undefined ? wanted : Math.max(wanted, last + interval);
		const next = this.#nextLook.get(check);
		if (next !== undefined && next <= at) return;
		this.#nextLook.set(check, at);
		if (at === this.loop.now) this.due(check);
		else this.loop.schedule(at, check);
	}

	#look(repairer: Repairer): void {
		const {now} = this.loop;
		const {name} = repairer;
		this.#lastLook.set(name, now);
		const count = countUnhealthy(repairer, (node) => this.nodes.get(node));
		const targets = this.targetsOf(repairer);
		const isOver = (due: Instant | undefined) => due !== undefined && due < now;
		if (count.isAllowed)
			this.#repair(
				targets.filter(({due}) => isOver(due)),
				repairer,
			);
		for (const {machine, due} of targets)
			if (due === undefined && count.isAllowed) this.requested.delete(machine.name);
		const status = JSON.stringify([count, targets.map(({due}) => (due === undefined ? 0 : isOver(due)))]);
		if (this.#status.get(name) !== status) this.#lookAt(name, now);
		this.#status.set(name, status);
		const coming = targets.flatMap(({due}) => (due !== undefined && !isOver(due) ? due + second : []));
		if (count.isAllowed && coming.length > 0) this.#lookAt(name, Math.min(...coming));
	}

	#repair(unhealthy: ReturnType<MachinePlayer['targetsOf']>, repairer: Repairer): void {
		for (const {machine} of unhealthy) {
			if (this.hasTemplate(repairer)) {
				if (this.requested.has(machine.name)) return;
				this.requested.add(machine.name);
				this.add({kind: 'remediation-requested', detail: machine.name});
			} else if (machine.deletionTimestamp === undefined && !this.#marked.has(machine.name)) {
				this.#marked.add(machine.name);
				this.add({kind: 'machine-marked', detail: machine.name});
			}
		}
	}
}
