import {podKey} from '../../../src/core/model/pod.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import {Simulation} from '../../../src/core/simulation/simulation.ts';
import type {SimulationOptions} from '../../../src/core/simulation/simulationOptions.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {GcApi} from './gcSteps.ts';
import {PodGcController, type PodGcWake} from './podGcController.ts';

type OwnWake = {readonly collector: number; readonly wake: PodGcWake};

/** A deletion by the collector: the pod is gone at once. */
export type ForcedDeletion = Extract<TimedEffect['effect'], {type: 'podDeleted'}> & {readonly isForced: true};

/** A simulation in which the pod garbage collector runs with the other controllers. Forecasts know its rules, and do not run it. */
export class CollectedSimulation extends Simulation {
	readonly #collectorOptions: SimulationOptions;
	readonly #wakes: EventLoop<OwnWake>;
	#collector: PodGcController | undefined;
	#collectors = 0;
	#isAtWork = false;
	#effects: TimedEffect[] = [];

	constructor(options: SimulationOptions) {
		super(options);
		this.#collectorOptions = options;
		this.#wakes = new EventLoop(options.now);
	}

	override startControllers(...args: Parameters<Simulation['startControllers']>): readonly TimedEffect[] {
		const {settings, process} = this.#collectorOptions;
		const collector = ++this.#collectors;
		this.#collector = new PodGcController(args[0] ?? settings, (args[1] ?? process).callDuration, {
			api: this.#api,
			wakeAt: (at, wake) => this.#wakes.schedule(at, {collector, wake}),
		});
		const started = super.startControllers(...args);
		this.#collector.start(this.now);
		return [...started, ...this.advanceTo(this.now)];
	}

	override stopControllers(): void {
		super.stopControllers();
		this.#collector = undefined;
	}

	override advanceTo(target: Instant): readonly TimedEffect[] {
		if (this.#isAtWork) {
			this.#effects.push(...super.advanceTo(target));
			return [];
		}
		this.#effects = [];
		for (let due = this.#wakes.nextDueAt; due !== undefined && due <= target; due = this.#wakes.nextDueAt) {
			this.#effects.push(...super.advanceTo(due));
			this.#isAtWork = true;
			this.#wakes.advanceTo(due, ({collector, wake}, now) => {
				if (collector === this.#collectors) this.#collector?.wake(wake, now);
			});
			this.#isAtWork = false;
		}
		return [...this.#effects, ...super.advanceTo(target)];
	}

	readonly #api: GcApi = {
		nodes: () => this.state.nodes(),
		node: (name) => this.state.node(name),
		pods: () => this.state.pods.values(),
		failPod: (pod, isDisruptionTarget) => {
			const current = this.state.pod(podKey(pod));
			if ((current?.uid ?? pod.uid) !== pod.uid) return 'conflict';
			if (!current) return 'notFound';
			const failed = {...current, phase: 'Failed', ...(isDisruptionTarget && {isDisruptionTarget})};
			this.observe({type: 'podApplied', pod: failed});
			return 'written';
		},
		removePod: (named) => {
			const key = podKey(named);
			const pod = this.state.pod(key);
			if (!pod) return 'notFound';
			const again = pod.deletionTimestamp !== undefined;
			const effect: ForcedDeletion = {
				type: 'podDeleted',
				pod: key,
				node: pod.nodeName,
				again,
				isForced: true,
			};
			this.#effects.push({at: this.now, effect});
			this.observe({type: 'podDeleted', namespace: pod.namespace, name: pod.name});
			return 'written';
		},
	};
}
