import {NeverLimiter} from '../../core/client/tokenBucket.ts';
import {nodeCondition} from '../../core/model/node.ts';
import {type Taint, taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import type {ZoneState} from '../../core/nodelifecycle/zoneState.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {tokensOf} from './outcome.ts';
import {isSyntheticTaint, syntheticTaint} from './syntheticTaint.ts';

/** The NoExecute taints of a node from an instant on. */
export type TaintMoment = {
	readonly at: Instant;
	readonly taints: readonly Taint[];
	/** Whether a change that is supposed brought them, so that their instant is known to the point. */
	readonly isExact: boolean;
};

/** What becomes of one node. */
export type NodeTrajectory = {
	/** The first entry is how it stands at the beginning. */
	readonly taints: readonly TaintMoment[];
	/** When its Ready condition turns anything but True, and True again; by turns. */
	readonly readiness: readonly {readonly at: Instant; readonly isReady: boolean}[];
	/** When the Node object goes. */
	readonly goneAt: Instant | undefined;
	/** Whether its kubelet is silent at the end and no pass has come to it. */
	readonly isLeft: boolean;
};

/** A zone from an instant on, as the controller sees it; a stopped one has no rate. */
export type ZoneMoment = {readonly at: Instant; readonly state: ZoneState | ''; readonly rate: number};

/** What one hidden state makes of the cluster. */
export type Trajectory = {
	readonly nodes: ReadonlyMap<string, NodeTrajectory>;
	readonly zones: ReadonlyMap<string, readonly ZoneMoment[]>;
	/** When the first pass began that throttling makes last; undefined where none does. */
	readonly longPassFrom: Instant | undefined;
	readonly endsAt: Instant;
	/** Whether a controller manager runs at the end. */
	readonly isControlled: boolean;
};

/** A pass that has nothing to wait for takes a fraction of a second. */
const longPass: Duration = 5 * second;

/** Takes down what happens to a machine. */
export class TrajectoryRecorder {
	readonly #machine: Simulation;
	readonly #withoutTaints: boolean;
	readonly #taints = new Map<string, TaintMoment[]>();
	readonly #readiness = new Map<string, {at: Instant; isReady: boolean}[]>();
	readonly #gone = new Map<string, Instant>();
	readonly #zones = new Map<string, ZoneMoment[]>();
	#longPassFrom: Instant | undefined;
	/** The last change that a token did not cause. */
	lastChangeAt: Instant = Number.NEGATIVE_INFINITY;

	/**
	 * @param withoutTaints whether the controllers delete the pods of nodes without tainting those
	 * @param begun one whose machine this one is a copy of: it goes on from there
	 */
	constructor(machine: Simulation, withoutTaints: boolean, begun?: TrajectoryRecorder) {
		this.#machine = machine;
		this.#withoutTaints = withoutTaints;
		if (begun) {
			this.#goOnFrom(begun);
			return;
		}
		for (const {node} of machine.state.nodes()) {
			const isEvicted = this.#isEvicted(node.name);
			const taints = [...noExecuteTaints(node), ...(isEvicted ? [syntheticTaint] : [])];
			this.#taints.set(node.name, [{at: machine.now, taints, isExact: true}]);
		}
		this.sampleZones();
	}

	#goOnFrom(begun: TrajectoryRecorder): void {
		for (const [name, moments] of begun.#taints) this.#taints.set(name, [...moments]);
		for (const [name, moments] of begun.#readiness) this.#readiness.set(name, moments);
		for (const [name, at] of begun.#gone) this.#gone.set(name, at);
		for (const [zone, moments] of begun.#zones) this.#zones.set(zone, moments);
		this.#longPassFrom = begun.#longPassFrom;
		this.lastChangeAt = begun.lastChangeAt;
	}

	get withoutTaints(): boolean {
		return this.#withoutTaints;
	}

	/** Goes on to an instant, and takes down what happens on the way. */
	advanceTo(target: Instant): void {
		this.take(this.#machine.advanceTo(target), false);
	}

	/** Takes down effects; of several at one instant, what they come to. */
	take(effects: ReturnType<Simulation['advanceTo']>, isExact: boolean): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'taintAdded' || effect.type === 'taintRemoved') {
				if (effect.taint.effect !== 'NoExecute') continue;
				const moments = this.#taints.get(effect.node);
				const before = moments?.at(-1)?.taints ?? [];
				const others = before.filter(({key}) => key !== effect.taint.key);
				const taints = effect.type === 'taintAdded' ? [...others, effect.taint] : others;
				if (moments?.at(-1)?.at === at && moments.length > 1) moments.pop();
				moments?.push({at, taints, isExact});
				if (effect.type === 'taintRemoved') this.lastChangeAt = at;
			} else if (effect.type === 'nodeEvicted') {
				this.#mark(effect.node, at, isExact);
			} else if (effect.type === 'nodeCondition' && effect.condition === 'Ready') {
				this.lastChangeAt = at;
				if (effect.status === 'True') this.#unmark(effect.node, at, isExact);
				const moments = this.#readiness.get(effect.node) ?? [];
				this.#readiness.set(effect.node, [...moments, {at, isReady: effect.status === 'True'}]);
			}
		}
	}

	#isEvicted(node: string): boolean {
		return this.#machine.controllers?.lifecycle.evictions.status(node) === 'evicted';
	}

	#mark(node: string, at: Instant, isExact: boolean): void {
		const before = this.#taints.get(node)?.at(-1)?.taints ?? [];
		if (!before.some(isSyntheticTaint))
			this.#taints.get(node)?.push({at, taints: [...before, syntheticTaint], isExact});
	}

	#unmark(node: string, at: Instant, isExact: boolean): void {
		const before = this.#taints.get(node)?.at(-1)?.taints ?? [];
		const taints = before.filter((taint) => !isSyntheticTaint(taint));
		if (taints.length < before.length) this.#taints.get(node)?.push({at, taints, isExact});
	}

	/** Controllers that end forget whose pods they have deleted. */
	forgetEvictions(): void {
		for (const name of this.#taints.keys()) this.#unmark(name, this.#machine.now, true);
	}

	/** A Node object goes. */
	deleted(name: string): void {
		this.#gone.set(name, this.#machine.now);
	}

	/** Looks at the zones, and at the pass that is under way; how they were between two looks is not known. */
	sampleZones(): void {
		const {zones, pass} = this.#machine.controllers?.lifecycle ?? {};
		if (pass && this.#machine.now - pass.startedAt > longPass) this.#longPassFrom ??= pass.startedAt;
		for (const zone of zones?.queued ?? []) {
			const limiter = zones?.queue(zone)?.limiter;
			const state = zones?.state(zone) ?? '';
			const rate = limiter instanceof NeverLimiter ? 0 : (limiter?.qps ?? 0);
			const moments = this.#zones.get(zone) ?? [];
			const last = moments.at(-1);
			if (last?.state === state && last.rate === rate) continue;
			this.#zones.set(zone, [...moments, {at: this.#machine.now, state, rate}]);
		}
	}

	/**
	 * What was taken down, and what is sure to follow: nodes that wait get the tokens that come after the end.
	 *
	 * @param rankOf the tie-break among the nodes that wait
	 */
	finish(rankOf: ((node: string) => number) | undefined): Trajectory {
		this.#giveLaterTokens(rankOf);
		const {kubelets, controllers, now} = this.#machine;
		const isPassing = controllers?.lifecycle.pass !== undefined;
		const nodes = [...this.#taints].map(([name, taints]): [string, NodeTrajectory] => {
			const readiness = this.#readiness.get(name) ?? [];
			const isLeft = isPassing && !kubelets.isAlive(name) && this.#readyOf(name) === 'True';
			return [name, {taints, readiness, goneAt: this.#gone.get(name), isLeft}];
		});
		return {
			...{nodes: new Map(nodes), zones: this.#zones, longPassFrom: this.#longPassFrom, endsAt: now},
			isControlled: controllers !== undefined,
		};
	}

	#giveLaterTokens(rankOf: ((node: string) => number) | undefined): void {
		const zones = this.#machine.controllers?.lifecycle.zones;
		for (const zone of zones?.queued ?? []) {
			const queue = zones?.queue(zone);
			const tokens = tokensOf(this.#machine, zone);
			if (!queue || !tokens) continue;
			const waiting = queue.values
				.filter((name) => this.#machine.state.node(name) && this.#mayWait(name))
				.toSorted((a, b) => (rankOf?.(a) ?? 0) - (rankOf?.(b) ?? 0));
			for (const [index, name] of waiting.entries()) {
				const own = {key: this.#ownTaintOf(name), value: '', effect: 'NoExecute'} as const;
				const taint = this.#withoutTaints ? syntheticTaint : own;
				const taints = [...(this.#taints.get(name)?.at(-1)?.taints ?? []), taint];
				this.#taints.get(name)?.push({at: tokens.first + index * tokens.every, taints, isExact: false});
			}
		}
	}

	#mayWait(name: string): boolean {
		return !this.#taints
			.get(name)
			?.at(-1)
			?.taints.some(({key}) => ownKeys.has(key));
	}

	#readyOf(name: string) {
		const node = this.#machine.state.node(name)?.node;
		return node && nodeCondition(node, 'Ready')?.status;
	}

	#ownTaintOf(name: string): string {
		return this.#readyOf(name) === 'False' ? taintNotReady : taintUnreachable;
	}
}

const ownKeys: ReadonlySet<string> = new Set([taintNotReady, taintUnreachable, syntheticTaint.key]);
