import {maxOf} from '../../core/collections/extremes.ts';
import type {Node} from '../../core/model/node.ts';
import {hasTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {second} from '../../core/time/instant.ts';
import {lifecycleTaint} from '../../forecast/observe/nodes/lifecycleTaint.ts';

/** The field managers of the controllers: all-in-one distributions have other program names. */
export class ControllerNames {
	readonly #names = new Set(['kube-controller-manager']);

	has(manager: string): boolean {
		return this.#names.has(manager);
	}

	/** Learns the name from the controllers' own taint: the only writer of taints at its timeAdded. */
	learnFrom(node: Node) {
		const {timeAdded} = lifecycleTaint(node) ?? {};
		if (timeAdded === undefined) return;
		const [writer, ...others] = (node.taintWrites ?? []).filter(
			({time}) => Math.abs(time - timeAdded) <= second,
		);
		if (writer && others.length === 0) this.#names.add(writer.manager);
	}
}

const unknownWriter = 'somebody';

/**
 * Who changed a node's NoExecute taints, if certainly not the controllers: the newest write of its taints has another
 * manager, or a taint was added without timeAdded, which the controllers always set.
 */
export function foreignWriter(
	before: Node,
	node: Node,
	controllers = new ControllerNames(),
): string | undefined {
	const known = before.taintWrites ?? [];
	const fresh = (node.taintWrites ?? []).filter(
		({manager, operation, time}) =>
			!known.some((old) => old.manager === manager && old.operation === operation && old.time === time),
	);
	const latest = maxOf(fresh.map(({time}) => time));
	const writers = fresh.filter(({time}) => time === latest).map(({manager}) => manager);
	if (writers.length > 0) return writers.some((writer) => controllers.has(writer)) ? undefined : writers[0];
	const old = noExecuteTaints(before);
	const added = noExecuteTaints(node).filter((taint) => !hasTaint(old, taint));
	return added.some(({timeAdded}) => timeAdded === undefined) ? unknownWriter : undefined;
}
