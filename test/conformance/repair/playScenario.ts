import {decodeRepair} from '../../../src/cluster/codec/decodeRepair.ts';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {NodeClaim, UnhealthyCondition} from '../../../src/core/model/repairObject.ts';
import {claimedNodes} from '../../../src/core/noderepair/karpenter.ts';
import {countUnhealthy, repairDue} from '../../../src/core/noderepair/nodeRepair.ts';
import {repairersOf} from '../../../src/core/noderepair/repairers.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Action} from '../vector.ts';
import type {RawObject, RepairScenario, RepairScenarioStep} from './vector.ts';

const start: Instant = Date.UTC(2000, 0, 1);

/** Plays a scenario through the port; returns its actions. */
export const playRepair = (scenario: RepairScenario): readonly Action[] => new RepairPlayer(scenario).play();

/** Looks at a node when its conditions change, and when the last look scheduled the next, as the real work queue does. */
class RepairPlayer {
	readonly #scenario: RepairScenario;
	readonly #decoder = new Decoder();
	readonly #conditions: readonly UnhealthyCondition[];
	readonly #nodes = new Map<string, Node>();
	readonly #claims = new Map<string, NodeClaim>();
	readonly #loop = new EventLoop<string>(start);
	/** By node name. */
	readonly #nextLook = new Map<string, Instant>();
	readonly #trace: Action[] = [];

	constructor(scenario: RepairScenario) {
		this.#scenario = scenario;
		this.#conditions = (scenario.policies ?? []).map(({type, status, toleration}) => ({
			...{type, status, timeout: toleration * second},
		}));
		for (const object of scenario.objects) this.#store(object);
	}

	play(): readonly Action[] {
		this.#lookAtAll();
		for (const step of this.#scenario.steps) {
			this.#advance(step.at);
			this.#perform(step);
		}
		this.#advance(this.#scenario.until);
		return this.#trace;
	}

	#advance(to: number): void {
		this.#loop.advanceTo(start + to * second, (name, now) => {
			if (this.#nextLook.get(name) === now) this.#look(name);
		});
	}

	#perform(step: RepairScenarioStep): void {
		if ('restart' in step) this.#lookAtAll();
		else if ('apply' in step) this.#store(step.apply);
		else {
			const {kind, metadata} = step.delete;
			if (kind === 'Node') this.#nodes.delete(metadata.name);
			else this.#claims.delete(metadata.name);
		}
		if ('apply' in step && step.apply.kind === 'Node') this.#look(step.apply.metadata.name);
	}

	#store(raw: RawObject): void {
		if (raw.kind === 'Node') {
			const node = this.#decoder.node.decode(raw);
			if (!node) throw new Error(`cannot be read: ${JSON.stringify(raw)}`);
			this.#nodes.set(node.name, node);
		} else if (raw.kind === 'NodeClaim') {
			const claim = decodeRepair('NodeClaim', 'karpenter.sh', raw);
			if (claim?.kind !== 'NodeClaim') throw new Error(`cannot be read: ${JSON.stringify(raw)}`);
			this.#claims.set(claim.name, claim);
		}
	}

	#lookAtAll(): void {
		this.#nextLook.clear();
		for (const name of [...this.#nodes.keys()].toSorted()) this.#look(name);
	}

	#lookAgain(name: string, at: Instant): void {
		this.#nextLook.set(name, at);
		this.#loop.schedule(at, name);
	}

	#look(name: string): void {
		this.#nextLook.delete(name);
		const {now} = this.#loop;
		const node = this.#nodes.get(name);
		const repairer = repairersOf(this.#claims.values(), [...this.#nodes.values()]).find(({nodes}) =>
			nodes.has(name),
		);
		const due = node && repairDue(node, {conditions: this.#conditions})?.at;
		if (!node || !repairer || due === undefined) return;
		if (now < due) {
			this.#lookAgain(name, due);
			return;
		}
		const {isAllowed} = countUnhealthy({...repairer, conditions: this.#conditions}, (one) =>
			this.#nodes.get(one),
		);
		if (!isAllowed) {
			this.#add({kind: 'repair-blocked', node: name});
			this.#lookAgain(name, now + repairer.looksAgainAfter);
			return;
		}
		const claimed = claimedNodes([...this.#claims.values()], [node]);
		const [claim] = claimed.keys();
		if (!claim || claim.deletionTimestamp !== undefined) return;
		this.#add({kind: 'claim-deleted', detail: claim.name});
		this.#claims.set(claim.name, {...claim, deletionTimestamp: now});
	}

	#add(done: Omit<Action, 'at'>): void {
		this.#trace.push({at: this.#loop.now - start, ...done});
	}
}
