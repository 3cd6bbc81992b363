/** How far the eviction of a node without taints is. */
type EvictionStatus = 'unmarked' | 'toBeEvicted' | 'evicted';

/**
 * What the controller remembers of each node's eviction. A node that is not there has no status.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go nodeEvictionMap
 */
export class NodeEvictions {
	#statuses = new Map<string, EvictionStatus>();

	/** A node appeared; one that is known keeps its status. */
	register(node: string): void {
		if (!this.#statuses.has(node)) this.#statuses.set(node, 'unmarked');
	}

	unregister(node: string): void {
		this.#statuses.delete(node);
	}

	/** Sets a status; a node that went meanwhile is passed over. */
	set(node: string, status: EvictionStatus): void {
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
