import {ApiClient} from '../../../src/core/client/apiClient.ts';
import {type RoutineContext, Routines} from '../../../src/core/client/routines.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {gcCheckPeriod} from '../../../src/core/podgc/garbage.ts';
import type {Duration, Instant} from '../../../src/core/time/instant.ts';
import {findGarbage} from './garbage.ts';
import {type GcApi, type GcPass, type GcStep, runGcStep} from './gcSteps.ts';
import {NodeQuarantine} from './nodeQuarantine.ts';

/** What wakes the controller: its period, or a waiting routine. */
export type PodGcWake = {readonly type: 'pass'} | {readonly type: 'routine'; readonly id: number};

type PodGcPorts = {
	readonly api: GcApi;
	readonly wakeAt: (at: Instant, wake: PodGcWake) => void;
};

/**
 * Deletes pods by force that no kubelet will end: pods of nodes that are gone or out of service, and Terminating pods
 * that are not bound to a node.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go PodGCController
 */
export class PodGcController {
	readonly #settings: ControllerSettings;
	readonly #ports: PodGcPorts;
	readonly #client: ApiClient;
	readonly #routines = new Routines<GcStep>();
	readonly #quarantine = new NodeQuarantine();
	#pass: GcPass | undefined;

	constructor(settings: ControllerSettings, callDuration: Duration, ports: PodGcPorts) {
		this.#settings = settings;
		this.#ports = ports;
		this.#client = new ApiClient(settings.kubeApiQps, settings.kubeApiBurst, callDuration);
	}

	/** Starts the periodic passes with empty state. */
	start(now: Instant): void {
		this.startPasses(now + this.#settings.firstPassAfter);
	}

	/** Sets when the next pass begins. */
	startPasses(passAt: Instant): void {
		this.#ports.wakeAt(passAt, {type: 'pass'});
	}

	wake(wake: PodGcWake, now: Instant): void {
		if (wake.type === 'pass') this.#beginPass(now);
		else this.#routines.wake(wake.id, this.#context(now));
	}

	/**
	 * Terminating pods are removed in parallel; the rest of the pass waits for all of them.
	 *
	 * @quirk a pass sees pods and nodes as they were at its beginning, however long it takes
	 */
	#beginPass(now: Instant): void {
		const {api} = this.#ports;
		const {terminating, orphans, unscheduled} = findGarbage(
			api.pods(),
			(name) => api.node(name)?.node,
			this.#settings,
		);
		const nodes = new Set(orphans.length > 0 || !this.#quarantine.isEmpty ? namesOf(api) : []);
		// Without a quarantine, every node missing now counts as deleted.
		const gone = this.#settings.quarantinesMissingNodes ? [] : orphans.map(({nodeName}) => nodeName);
		this.#pass = {nodes, orphans, unscheduled, removing: terminating.length, gone: new Set(gone)};
		if (terminating.length === 0) this.#start([this.#afterTerminating], now);
		for (const pod of terminating)
			this.#start([{do: 'removePod', pod, isOrphan: false}, {do: 'terminatingRemoved'}], now);
	}

	get #afterTerminating(): GcStep {
		return {do: this.#settings.quarantinesMissingNodes ? 'quarantine' : 'removeOrphans'};
	}

	#start(steps: readonly GcStep[], now: Instant): void {
		this.#routines.start(steps, 'timed', this.#context(now));
	}

	#context(now: Instant): RoutineContext<GcStep> {
		const {api} = this.#ports;
		return {
			now,
			client: this.#client,
			run: (step) =>
				runGcStep(step, {
					now,
					api,
					settings: this.#settings,
					quarantine: this.#quarantine,
					pass: this.#pass,
					setPass: (pass) => {
						this.#pass = pass;
						if (!pass) this.#ports.wakeAt(now + gcCheckPeriod, {type: 'pass'});
					},
				}),
			wakeRoutineAt: (at, id) => this.#ports.wakeAt(at, {type: 'routine', id}),
		};
	}
}

const namesOf = (api: GcApi) => api.nodes().map(({node}) => node.name);
