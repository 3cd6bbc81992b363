import type {Node} from '../core/model/node.ts';
import type {PodTemplate, Resources} from '../core/model/related.ts';
import {taintUnschedulable} from '../core/model/taint.ts';
import {matchingTolerations} from '../core/tainteviction/tolerations.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {hasLabels, meets} from './selectors.ts';

/** Whether a new pod of a workload finds a node, as far as that can be known without what runs on each. */
export type Placement = {
	/** How many nodes would take it, if they have room. */
	readonly nodes: number;
	/** What keeps it from the others, the most frequent first. */
	readonly obstacles: readonly string[];
	/** Whether rules have a say that are not looked at: pod affinity, spread constraints, another scheduler. */
	readonly hasOtherRules: boolean;
};

/** The nodes that are fit for what a template asks for, apart from room: how many of each size, and what the others lack. */
type Fitting = {
	readonly sizes: ReadonlyMap<Resources | undefined, number>;
	readonly obstacles: ReadonlyMap<string, number>;
};

/** Looks for nodes on which new pods may run. Templates that ask for the same are looked at once. */
export class Placements {
	readonly #well: readonly Node[];
	readonly #inTrouble: number;
	readonly #sizes = new Map<string, Resources>();
	readonly #fitting = new Map<string, Fitting>();

	constructor(nodes: readonly NodeForecast[]) {
		this.#well = nodes.flatMap(({node, verdict}) => (node && verdict === 'Healthy' ? [node] : []));
		this.#inTrouble = nodes.filter(({node, verdict}) => node && verdict !== 'Healthy').length;
	}

	/** Where new pods of a template find a node: one that is well, fit, and large enough when empty. */
	of(template: PodTemplate): Placement {
		const {tolerations, nodeSelector, nodeTerms, requests, hasOtherRules} = template;
		const wishes = JSON.stringify([tolerations, nodeSelector, nodeTerms]);
		const fitting = this.#fitting.get(wishes) ?? this.#find(template);
		this.#fitting.set(wishes, fitting);
		const obstacles = new Map(fitting.obstacles);
		let nodes = 0;
		for (const [size, count] of fitting.sizes) {
			const isTooSmall = size && (requests.cpu > size.cpu || requests.memory > size.memory);
			if (isTooSmall) obstacles.set('too small', (obstacles.get('too small') ?? 0) + count);
			else nodes += count;
		}
		const sorted = [...obstacles].toSorted((a, b) => b[1] - a[1]);
		return {nodes, obstacles: sorted.map(([obstacle, count]) => `${count} ${obstacle}`), hasOtherRules};
	}

	#find(template: PodTemplate): Fitting {
		const obstacles = new Map<string, number>(this.#inTrouble > 0 ? [['not ready', this.#inTrouble]] : []);
		const sizes = new Map<Resources | undefined, number>();
		for (const node of this.#well) {
			const obstacle = obstacleOn(node, template);
			const size = this.#sizeOf(node);
			if (obstacle === undefined) sizes.set(size, (sizes.get(size) ?? 0) + 1);
			else obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + 1);
		}
		return {sizes, obstacles};
	}

	/** Of nodes that are as large, one size stands for all. */
	#sizeOf({allocatable}: Node): Resources | undefined {
		if (!allocatable) return undefined;
		const key = `${allocatable.cpu} ${allocatable.memory}`;
		const size = this.#sizes.get(key) ?? allocatable;
		this.#sizes.set(key, size);
		return size;
	}
}

/**
 * What keeps a node from taking pods of a template: it is cordoned, lacks labels that they ask for, or has a taint that
 * they do not tolerate.
 *
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go Filter
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go Filter
 */
function obstacleOn(node: Node, template: PodTemplate): string | undefined {
	const {labels, taints, unschedulable} = node;
	const isTolerated = (key: string) =>
		matchingTolerations([{key, value: '', effect: 'NoSchedule'}], template.tolerations, false) !== undefined;
	if (unschedulable && !isTolerated(taintUnschedulable)) return 'cordoned';
	if (!hasLabels(labels, template.nodeSelector)) return 'without the labels of its node selector';
	if (template.nodeTerms && !template.nodeTerms.some((term) => term.every((one) => meets(labels, one))))
		return 'outside of its node affinity';
	const forbidding = taints.find(
		(taint) =>
			taint.effect !== 'PreferNoSchedule' &&
			matchingTolerations([taint], template.tolerations, false) === undefined,
	);
	return forbidding && `tainted ${forbidding.key}`;
}
