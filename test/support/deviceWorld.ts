import {
	DeviceTaintEvictionController,
	type DeviceWake,
} from '../../src/core/devicetainteviction/deviceTaintEvictionController.ts';
import {type DeviceObject, deviceObjectKey} from '../../src/core/model/device.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import {EventLoop} from '../../src/core/time/eventLoop.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';

/** The changes to a cluster's device objects, and the behaviour of its controller. */
export type DeviceScript = {
	/** Objects that are applied at an instant, in seconds. */
	readonly objects: readonly {readonly at: number; readonly object: DeviceObject}[];
	/** A controller that does not run, whose deletions are all denied, or that waits for 5 seconds only. */
	readonly controller?: 'away' | 'denied' | 'hasty';
};

/** The device taint eviction controller beside a simulated cluster, whose pods use the claims that are reserved for them. */
export class DeviceWorld {
	readonly #simulation: Simulation;
	readonly #script: DeviceScript;
	readonly #loop = new EventLoop<DeviceWake>(0);
	readonly #known = new Map<string, DeviceObject>();
	readonly #controller: DeviceTaintEvictionController;
	#waiting: DeviceScript['objects'];

	constructor(simulation: Simulation, script: DeviceScript) {
		this.#simulation = simulation;
		this.#script = script;
		this.#waiting = script.objects.toSorted((a, b) => a.at - b.at);
		this.#controller = new DeviceTaintEvictionController(defaultSettings, 1, {
			api: {
				pod: (key) => simulation.state.pod(key),
				markDisruptionTarget: (key) =>
					this.#change(key, {isDisruptionTarget: true, deviceEvictedAt: this.#now}),
				deletePod: (key) =>
					script.controller === 'denied'
						? 'conflict'
						: this.#change(key, {deletionTimestamp: this.#now + 30 * second}),
				eventPosted: () => undefined,
			},
			wakeAt: (at, wake) => this.#loop.schedule(at, wake),
		});
	}

	/** Advances the time; returns the changes that a watch of device objects delivers. */
	advanceTo(now: Instant): readonly Observation[] {
		const due = this.#waiting.filter(({at}) => at * second <= now);
		this.#waiting = this.#waiting.slice(due.length);
		for (const {object} of due) this.#apply(object);
		this.#loop.advanceTo(now, (wake, then) => this.#controller.wake(wake, then));
		return due.map(({object}) => ({type: 'deviceObjectApplied', object}));
	}

	#apply(object: DeviceObject): void {
		const {controller} = this.#script;
		if (object.kind === 'ResourceClaim') this.#lend(object);
		const key = `${object.kind} ${deviceObjectKey(object)}`;
		const before = this.#known.get(key);
		this.#known.set(key, object);
		if (controller === 'away') return;
		this.#controller.objectChanged(before, controller === 'hasty' ? shortened(object) : object, this.#now);
	}

	#lend({namespace, name, reservedFor}: Extract<DeviceObject, {kind: 'ResourceClaim'}>): void {
		for (const of of reservedFor) {
			const key = `${namespace}/${of.name}`;
			this.#change(key, {claims: [{name, isGenerated: false}]});
			this.#controller.podChanged(undefined, this.#simulation.state.pod(key), this.#now);
		}
	}

	#change(key: string, fields: object): 'written' {
		const pod = this.#simulation.state.pod(key);
		if (pod) this.#simulation.observe({type: 'podApplied', pod: {...pod, ...fields}});
		return 'written';
	}

	get #now(): Instant {
		return this.#loop.now;
	}
}

/** A claim whose tolerations are shortened, for a hasty controller. */
const shortened = (object: DeviceObject): DeviceObject =>
	object.kind === 'ResourceClaim'
		? {
				...object,
				allocated: (object.allocated ?? []).map(({tolerations, ...device}) => ({
					...device,
					tolerations: tolerations.map((one) => ({...one, tolerationSeconds: 5})),
				})),
			}
		: object;
