import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {
	DeviceTaintEvictionController,
	type DeviceWake,
} from '../../../src/core/devicetainteviction/deviceTaintEvictionController.ts';
import {type DeviceObject, deviceObjectKey} from '../../../src/core/model/device.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Action} from '../vector.ts';
import type {DeviceScenario, DeviceScenarioStep, RawObject} from './vector.ts';

const start: Instant = Date.UTC(2000, 0, 1);
const keyOf = ({kind}: RawObject, object: DeviceObject | Pod) =>
	`${kind} ${'kind' in object ? deviceObjectKey(object) : podKey(object)}`;

const uidOf = (object: DeviceObject | Pod): string => ('uid' in object ? object.uid : '');

/** Plays a scenario through the port; returns its actions. */
export const playDevices = (scenario: DeviceScenario): readonly Action[] => new DevicePlayer(scenario).play();

class DevicePlayer {
	readonly #scenario: DeviceScenario;
	readonly #decoder = new Decoder();
	readonly #objects = new Map<string, DeviceObject | Pod>();
	readonly #loop = new EventLoop<{readonly run: number; readonly wake: DeviceWake}>(start);
	readonly #trace: Action[] = [];
	#told = new Set<string>();
	#run = 0;
	#controller: DeviceTaintEvictionController;

	constructor(scenario: DeviceScenario) {
		this.#scenario = scenario;
		for (const object of scenario.objects) this.#store(object);
		this.#controller = this.#started();
	}

	play(): readonly Action[] {
		for (const step of this.#scenario.steps) {
			this.#advance(step.at);
			this.#perform(step);
		}
		this.#advance(this.#scenario.until);
		return this.#trace;
	}

	#advance(to: number): void {
		this.#loop.advanceTo(start + to * second, ({run, wake}, now) => {
			if (run === this.#run) this.#controller.wake(wake, now);
		});
	}

	#perform(step: DeviceScenarioStep): void {
		if ('restart' in step) this.#controller = this.#started();
		else if ('apply' in step) {
			const [before, after] = this.#store(step.apply);
			const isOther = before !== undefined && uidOf(before) !== uidOf(after);
			if (isOther) this.#tell(before, undefined);
			this.#tell(isOther ? undefined : before, after);
		} else {
			const before = this.#decode(step.delete);
			const key = keyOf(step.delete, before);
			const present = this.#objects.get(key);
			this.#objects.delete(key);
			if (present) this.#tell(present, undefined);
		}
	}

	#tell(before: DeviceObject | Pod | undefined, after: DeviceObject | Pod | undefined): void {
		const {now} = this.#loop;
		const of = after ?? before;
		if (!of) return;
		if ('kind' in of)
			this.#controller.objectChanged(before as DeviceObject, after as DeviceObject | undefined, now);
		else this.#controller.podChanged(before as Pod, after as Pod | undefined, now);
	}

	#store(raw: RawObject): [before: DeviceObject | Pod | undefined, after: DeviceObject | Pod] {
		const after = this.#decode(raw);
		const key = keyOf(raw, after);
		const before = this.#objects.get(key);
		this.#objects.set(key, after);
		return [before, after];
	}

	#decode(raw: RawObject): DeviceObject | Pod {
		const decoded =
			raw.kind === 'Pod' ? this.#decoder.pod.decode(raw) : this.#decoder.device(raw.kind).decode(raw);
		if (!decoded) throw new Error(`cannot be read: ${JSON.stringify(raw)}`);
		return decoded;
	}

	#started(): DeviceTaintEvictionController {
		this.#run += 1;
		this.#told = new Set();
		const [run, loop] = [this.#run, this.#loop];
		const controller = new DeviceTaintEvictionController({...defaultSettings, ...this.#scenario}, 1, {
			api: {
				pod: (key) => this.#pod(key),
				markDisruptionTarget: (key) => this.#mark(key),
				deletePod: (key) => this.#delete(key),
				eventPosted: ({reason, about}) => {
					if (reason !== 'CancellingDeletion' || this.#told.has(about)) return;
					this.#told.add(about);
					this.#add('eviction-cancelled', about);
				},
			},
			wakeAt: (at, wake) => loop.schedule(at, {run, wake}),
		});
		const all = [...this.#objects.values()];
		const pods = all.filter((one): one is Pod => !('kind' in one));
		controller.start(
			all.filter((one): one is DeviceObject => 'kind' in one),
			pods,
			loop.now,
		);
		return controller;
	}

	#pod(key: string): Pod | undefined {
		return this.#objects.get(`Pod ${key}`) as Pod | undefined;
	}

	#mark(key: string): 'written' | 'notFound' {
		const pod = this.#pod(key);
		if (!pod) return 'notFound';
		this.#add('pod-marked', key);
		this.#objects.set(`Pod ${key}`, {...pod, isDisruptionTarget: true});
		return 'written';
	}

	#delete(key: string): 'written' | 'notFound' {
		const pod = this.#pod(key);
		if (!pod) return 'notFound';
		this.#add(pod.deletionTimestamp === undefined ? 'pod-deleted' : 'pod-delete-again', key);
		if (this.#scenario.deadNodes.includes(pod.nodeName))
			this.#objects.set(`Pod ${key}`, {...pod, deletionTimestamp: this.#loop.now + 30 * second});
		else {
			this.#objects.delete(`Pod ${key}`);
			this.#controller.podChanged(pod, undefined, this.#loop.now);
		}
		return 'written';
	}

	#add(kind: string, pod: string): void {
		this.#trace.push({at: this.#loop.now - start, kind, pod});
	}
}
