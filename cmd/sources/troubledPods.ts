import type {RelatedQuery} from '../../src/cluster/workloads/readRelated.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {type Pod, podKey} from '../../src/core/model/pod.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {TroubledNodes} from './troubledNodes.ts';

/** What is kept of a pod. */
type Known = {
	readonly namespace: string;
	readonly ownerKind: string | undefined;
	readonly node: string;
	readonly isLeaving: boolean;
};

/** Looking through all pods of a large cluster takes a moment. */
const lookEvery: Duration = 5 * second;

/** Whose belongings are worth to be read where no forecast is made: pods of nodes in trouble, and those that are leaving. */
export class TroubledPods {
	readonly #troubled = new TroubledNodes();
	readonly #nodes = new Set<string>();
	readonly #pods = new Map<string, Known>();
	#lookedAt: Instant = Number.NEGATIVE_INFINITY;

	/** Takes in what was seen. */
	observe(observations: readonly Observation[], at: Instant): void {
		this.#troubled.observe(observations, at);
		for (const one of observations) {
			if (one.type === 'nodeApplied') this.#nodes.add(one.node.name);
			else if (one.type === 'nodeDeleted') this.#nodes.delete(one.name);
			else if (one.type === 'podApplied') this.#pods.set(podKey(one.pod), knownOf(one.pod));
			else if (one.type === 'podDeleted') this.#pods.delete(podKey(one));
		}
	}

	/** What to read for them now; nothing of what was looked for a moment ago. */
	wanted(now: Instant): RelatedQuery {
		const isSoon = now - this.#lookedAt < lookEvery;
		if (!isSoon) this.#lookedAt = now;
		const troubled = new Set(isSoon ? [] : this.#troubled.wanted(now));
		const isMeant = ({node, isLeaving}: Known) =>
			isLeaving || troubled.has(node) || (node !== '' && !this.#nodes.has(node));
		const meant = isSoon ? [] : [...this.#pods.values()].filter(isMeant);
		return {
			namespaces: new Set(meant.map(({namespace}) => namespace)),
			ownerKinds: new Set(meant.flatMap(({ownerKind}) => ownerKind ?? [])),
			nodeCount: this.#nodes.size,
		};
	}
}

const knownOf = ({namespace, owner, nodeName, deletionTimestamp}: Pod): Known => ({
	namespace,
	ownerKind: owner?.kind,
	node: nodeName,
	isLeaving: deletionTimestamp !== undefined,
});
