import {isDeepStrictEqual} from 'node:util';
import {decodeRepair} from '../../../src/cluster/codec/decodeRepair.ts';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {type Machine, type MachineHealthCheck, repairKey} from '../../../src/core/model/repairObject.ts';
import {selects} from '../../../src/core/model/workloads/selects.ts';
import {repairDue} from '../../../src/core/noderepair/nodeRepair.ts';
import type {Repairer} from '../../../src/core/noderepair/repairer.ts';
import {isMachineOf, repairersOf} from '../../../src/core/noderepair/repairers.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Action} from '../vector.ts';
import type {RawObject, RepairScenario} from './vector.ts';

/** The start of virtual time. */
export const start: Instant = Date.UTC(2000, 0, 1);

/**
 * Plays a scenario of MachineHealthChecks through the port. Subclasses decide for their project when a check looks, and what it
 * does then. Machines without a node are counted, but actions on them are omitted: they have no pods.
 */
export abstract class MachinePlayer {
	protected readonly loop = new EventLoop<string>(start);
	protected readonly machines = new Map<string, Machine>();
	protected readonly nodes = new Map<string, Node>();
	/** The Machines whose remediation was requested from an external controller. */
	protected readonly requested = new Set<string>();
	readonly #scenario: RepairScenario;
	readonly #group: string;
	readonly #decoder = new Decoder();
	readonly #checks = new Map<string, MachineHealthCheck>();
	readonly #templated = new Set<string>();
	readonly #trace: Action[] = [];

	constructor(scenario: RepairScenario, group: string) {
		this.#scenario = scenario;
		this.#group = group;
		for (const object of scenario.objects) this.#store(object);
	}

	play(): readonly Action[] {
		this.startAnew();
		for (const step of this.#scenario.steps) {
			this.#advance(step.at);
			if ('restart' in step) this.startAnew();
			else this.#change(step);
		}
		this.#advance(this.#scenario.until);
		return this.#trace;
	}

	/** A new process looks at all checks. */
	protected abstract startAnew(): void;

	/** A node or a Machine of a check was written; `isChanged` is whether more than a heartbeat changed. */
	protected abstract written(check: string, isChanged: boolean): void;

	/** A scheduled look of a check is due. */
	protected abstract due(check: string): void;

	protected get repairers(): readonly Repairer[] {
		const all = repairersOf([...this.machines.values(), ...this.#checks.values()], [...this.nodes.values()]);
		return all
			.filter(({stopped}) => stopped === undefined)
			.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
	}

	/** Whether a check requests external remediation by a template. */
	protected hasTemplate({name}: Repairer): boolean {
		return this.#templated.has(name);
	}

	/** The Machines that a check may repair, by name, with their nodes and timeouts. */
	protected targetsOf(repairer: Repairer) {
		return [...this.machines.values()]
			.flatMap((machine) => {
				const node = this.nodes.get(machine.nodeName);
				if (!node || !repairer.nodes.has(node.name) || !isMachineOf(machine, node)) return [];
				return [{machine, node, due: repairDue(node, repairer)?.at}];
			})
			.toSorted((a, b) => (a.machine.name < b.machine.name ? -1 : 1));
	}

	protected put(machine: Machine): void {
		this.machines.set(repairKey(machine), machine);
	}

	protected add(done: Omit<Action, 'at'>, at = this.loop.now): void {
		this.#trace.push({at: at - start, ...done});
	}

	#advance(to: number): void {
		this.loop.advanceTo(start + to * second, (check) => this.due(check));
	}

	#change(step: {readonly apply: RawObject} | {readonly delete: RawObject}): void {
		const raw = 'apply' in step ? step.apply : step.delete;
		const before = this.#checksOf(raw);
		const isChanged = 'delete' in step || raw.kind !== 'Node' || !this.#hasConditions(raw);
		if ('apply' in step) this.#store(raw);
		else this.nodes.delete(raw.metadata.name);
		for (const check of new Set([...before, ...this.#checksOf(raw)])) this.written(check, isChanged);
	}

	#hasConditions(raw: RawObject): boolean {
		const {conditions} = this.nodes.get(raw.metadata.name) ?? {};
		return isDeepStrictEqual(conditions, this.#decoder.node.decode(raw)?.conditions);
	}

	/** The checks that a change of an object concerns, also of a Machine that they skip. */
	#checksOf({kind, metadata}: RawObject): readonly string[] {
		const machines = [...this.machines.values()].filter(
			({name, nodeName}) => (kind === 'Node' ? nodeName : name) === metadata.name,
		);
		return [...this.#checks.values()]
			.filter(({selector}) => machines.some(({labels}) => selects(selector, labels)))
			.map(({namespace, name}) => `MachineHealthCheck ${namespace}/${name}`);
	}

	#store(raw: RawObject): void {
		if (raw.kind === 'Node') {
			const node = this.#decoder.node.decode(raw);
			if (node) this.nodes.set(node.name, node);
		} else if (raw.kind === 'Machine' || raw.kind === 'MachineHealthCheck') {
			const object = decodeRepair(raw.kind, this.#group, raw);
			if (object?.kind === 'Machine') this.#putApplied(object);
			else if (object?.kind === 'MachineHealthCheck') {
				this.#checks.set(repairKey(object), object);
				if (JSON.stringify(raw).includes('Template"'))
					this.#templated.add(`MachineHealthCheck ${object.namespace}/${object.name}`);
			}
		}
	}

	/** An applied object keeps an earlier deletion and request. */
	#putApplied(machine: Machine): void {
		const {deletionTimestamp, isBeingRepaired = false} = this.machines.get(repairKey(machine)) ?? {};
		this.put({
			...machine,
			...(deletionTimestamp !== undefined && {deletionTimestamp}),
			...(isBeingRepaired && {isBeingRepaired}),
		});
	}
}

/** Whether a Machine has a node at an instant of the scenario. */
export function hasNode(scenario: RepairScenario, machine: string, at: number): boolean {
	const raw = scenario.objects.find(({kind, metadata}) => kind === 'Machine' && metadata.name === machine);
	const {nodeRef} = (raw?.['status'] ?? {}) as {readonly nodeRef?: {readonly name: string}};
	if (!nodeRef) return false;
	const isIt = ({kind, metadata}: RawObject) => kind === 'Node' && metadata.name === nodeRef.name;
	const isGone = scenario.steps.some(
		(step) => 'delete' in step && isIt(step.delete) && step.at * second <= at,
	);
	return scenario.objects.some(isIt) && !isGone;
}
