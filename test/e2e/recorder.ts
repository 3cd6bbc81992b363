import type {ApiClient, WatchEvent} from './apiClient.ts';
import {type NodeObject, type PodObject, podName} from './objects.ts';

/**
 * A change, timed by the arrival of its watch event. `what` is `Ready=Unknown`, `+key:Effect`, `-key:Effect` or `Deleted` for `node/NAME`,
 * and `Terminating` or `Gone` for `pod/NAMESPACE/NAME`.
 */
export type Change = {readonly at: number; readonly object: string; readonly what: string};

/** Watches nodes and pods, and records their changes. */
export class Recorder {
	readonly changes: Change[] = [];
	/** The current facts about each object: changes are their differences. */
	readonly #facts = new Map<string, readonly string[]>();
	readonly #end = new AbortController();

	start(api: ApiClient): void {
		const {signal} = this.#end;
		void api.watch<NodeObject>('/api/v1/nodes', (event) => this.#onNode(event), signal);
		void api.watch<PodObject>('/api/v1/pods', (event) => this.#onPod(event), signal);
	}

	end(): void {
		this.#end.abort();
	}

	/** When a change of an object first happened, at or after an instant. */
	find(object: string, what: string, since = 0): number | undefined {
		return this.changes.find(
			(change) => change.object === object && change.what === what && change.at >= since,
		)?.at;
	}

	/** The names of all objects so far with this prefix. */
	objects(prefix: string): string[] {
		return [...this.#facts.keys()].filter((name) => name.startsWith(prefix));
	}

	#onNode({type, object: node}: WatchEvent<NodeObject>): void {
		if (type === 'ERROR') return;
		const taints = (node.spec?.taints ?? []).map(({key, effect}) => `+${key}:${effect}`);
		const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready')?.status;
		const gone = type === 'DELETED' ? ['Deleted'] : [];
		this.#record(`node/${node.metadata.name}`, [`Ready=${ready}`, ...taints, ...gone]);
	}

	#onPod({type, object: pod}: WatchEvent<PodObject>): void {
		if (type === 'ERROR') return;
		const facts = [
			...(pod.metadata.deletionTimestamp ? ['Terminating'] : []),
			...(type === 'DELETED' ? ['Gone'] : []),
		];
		this.#record(`pod/${podName(pod)}`, facts);
	}

	/** Records new facts, and removed taints: `+` becomes `-`. */
	#record(object: string, facts: readonly string[]): void {
		const at = Date.now();
		const before = this.#facts.get(object) ?? [];
		this.#facts.set(object, facts);
		const added = facts.filter((fact) => !before.includes(fact));
		const gone = before.filter((fact) => fact.startsWith('+') && !facts.includes(fact));
		for (const what of [...added, ...gone.map((fact) => fact.replace('+', '-'))]) {
			this.changes.push({at, object, what});
		}
	}
}
