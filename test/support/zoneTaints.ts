import type {Taint} from '../../src/core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {TimedEffect} from '../../src/core/simulation/effect.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import type {Instant} from '../../src/core/time/instant.ts';

const isOwn = ({key, effect}: Taint) =>
	effect === 'NoExecute' && /^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(key);

/** Follows the controllers' NoExecute taints of each zone, or their deletions without taints; swapped taints do not count. */
export class ZoneTaints {
	readonly #counts = new Map<string, number>();
	readonly #zones = new Map<string, string>();
	/** When each zone's taints were added, in order. */
	readonly times = new Map<string, Instant[]>();

	constructor({state}: Simulation) {
		for (const {node} of state.nodes()) {
			this.#counts.set(node.name, node.taints.filter(isOwn).length);
			this.#zones.set(node.name, zoneLabel(zoneKey(node)));
		}
	}

	add(effects: readonly TimedEffect[]): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'nodeEvicted') this.#count(effect.node, at);
			if ((effect.type !== 'taintAdded' && effect.type !== 'taintRemoved') || !isOwn(effect.taint)) continue;
			const before = this.#counts.get(effect.node) ?? 0;
			this.#counts.set(effect.node, before + (effect.type === 'taintAdded' ? 1 : -1));
			if (before > 0 || effect.type === 'taintRemoved') continue;
			this.#count(effect.node, at);
		}
	}

	#count(node: string, at: Instant): void {
		const zone = this.#zones.get(node) ?? '';
		this.times.set(zone, [...(this.times.get(zone) ?? []), at]);
	}
}
