import {isReadyNode} from '../../core/model/node.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import type {Observed} from '../observe/observed.ts';
import {type ZonesPast, zonesAt} from './zonePast.ts';

/** The zones as passes will judge them once they have found all nodes that are silent now. */
export class ZonesToCome {
	readonly #observed: Observed;
	#found: ZonesPast | undefined;

	constructor(observed: Observed) {
		this.#observed = observed;
	}

	get found(): ZonesPast {
		this.#found ??= this.#find();
		return this.#found;
	}

	/** Whether passes have found none of the nodes that are down: all are still silent. */
	get areNoneFound(): boolean {
		return this.#observed.affected.nodes.every(({node}) => isReadyNode(node));
	}

	#find(): ZonesPast {
		const {affected, settings, now} = this.#observed;
		const nodes = affected.nodes.map((one) => (isSilentAndReady(one, now) ? found(one) : one));
		return zonesAt(now, {...affected, nodes}, settings);
	}
}

const found = (one: NodeEvidence): NodeEvidence => ({
	...one,
	node: {...one.node, conditions: one.node.conditions.filter(({type}) => type !== 'Ready')},
	readyChangedAt: undefined,
});
