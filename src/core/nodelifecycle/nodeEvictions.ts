/** How far the eviction of a node without taints has got. */
type EvictionStatus = 'unmarked' | 'toBeEvicted' | 'evicted';

/**
 * The eviction status of each node. A node that does not exist has none.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go nodeEvictionMap
 */
export class NodeEvictions {
	#statuses = new Map<string, EvictionStatus>();

	/** Adds a node; a known one keeps its status. */
	register(node: string) {
		if (!this.#statuses.has(node)) this.#statuses.set(node, 'unmarked');
	}

	unregister(node: string) {
		this.#statuses.delete(node);
	}

	/** Sets a status, unless the node was deleted meanwhile. */
	set(node: string, status: EvictionStatus) {
		if (this.#statuses.has(node)) this.#statuses.set(node, status);
	}

	status(node: string): EvictionStatus | undefined {
		return this.#statuses.get(node);
	}

	fork(): NodeEvictions {
		const copy = new NodeEvictions();
		copy.#statuses = new Map(this.#statuses);
		return copy;
	}
}
