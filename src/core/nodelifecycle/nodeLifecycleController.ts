import {ApiClient} from '../client/apiClient.ts';
import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import {EventRecorder} from '../client/eventRecorder.ts';
import {Routines} from '../client/routines.ts';
import {WorkerPool} from '../client/workerPool.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {type LifecycleStep, runStep, type StepContext} from './lifecycleSteps.ts';
import type {MonitorPass} from './monitorPass.ts';
import {NodeEvictions} from './nodeEvictions.ts';
import type {NodeHealth} from './nodeHealth.ts';
import {needsProcessing} from './nodeProcessing.ts';
import {nodeEvictionPeriod} from './rateLimitedTimedQueue.ts';
import {Zones} from './zones.ts';

/** What wakes the controller: one of its periods, a routine that waited, its event recorder's turn. */
export type LifecycleWake =
	| {readonly type: 'monitorPass' | 'noExecutePass' | 'postEvent'}
	| {readonly type: 'routine'; readonly id: number};

/** What the controller needs of the world around it. */
export type LifecyclePorts = {
	readonly api: ClusterApi;
	readonly wakeAt: (at: Instant, wake: LifecycleWake) => void;
};

/** How the machine that the controllers run on behaves, apart from their flags. */
export type ProcessSettings = {
	/** How long an API call takes. */
	readonly callDuration: Duration;
	/** How long a monitor pass takes, apart from its calls. */
	readonly passDuration: Duration;
	/** Whether the calls of the pass over the zones' queues wait and take time like all others. */
	readonly noExecuteCallsTakeTime: boolean;
	/** Whether a pass lists the nodes in an order that the seed decides, as Go's maps do; else by their names. */
	readonly listsNodesByChance?: boolean;
};

const nodeWorkers = 8;
const podWorkers = 4;

/**
 * Watches the nodes' heartbeats, marks silent nodes Unknown, and taints them at each zone's rate.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go Controller
 */
export class NodeLifecycleController {
	readonly #settings: ControllerSettings;
	readonly #process: ProcessSettings;
	readonly #ports: LifecyclePorts;
	readonly #random: Random;
	#client: ApiClient;
	#routines = new Routines<LifecycleStep>();
	#recorder = new EventRecorder();
	#zones: Zones;
	#health = new Map<string, NodeHealth>();
	#knownNodes = new Set<string>();
	#evictions = new NodeEvictions();
	#nodePool = new WorkerPool(nodeWorkers);
	#podPool = new WorkerPool(podWorkers);
	#pass: MonitorPass | undefined;
	#isQueuePassAtWork = false;
	/** When the next pass over the zones' queues would begin, while none is scheduled since nothing waits. */
	#idleNoExecutePassAt: Instant | undefined;

	constructor(settings: ControllerSettings, process: ProcessSettings, ports: LifecyclePorts, random: Random) {
		this.#settings = settings;
		this.#process = process;
		this.#ports = ports;
		this.#random = random;
		this.#client = new ApiClient(settings.kubeApiQps, settings.kubeApiBurst, process.callDuration);
		this.#zones = new Zones(settings);
	}

	get zones(): Zones {
		return this.#zones;
	}

	/** What is remembered of each node's heartbeats. A forecast that starts in the middle of things sets this and more. */
	get health(): Map<string, NodeHealth> {
		return this.#health;
	}

	/** The nodes that a pass has registered. */
	get knownNodes(): Set<string> {
		return this.#knownNodes;
	}

	/** How far each node's eviction is. */
	get evictions(): NodeEvictions {
		return this.#evictions;
	}

	/** The monitor pass that is under way, if any. */
	get pass(): MonitorPass | undefined {
		return this.#pass;
	}

	/** Starts the workers and the periods, with no memory of before. */
	start(now: Instant): void {
		for (const {node} of this.#ports.api.nodes()) {
			this.#evictions.register(node.name);
			this.#nodePool.add(node.name);
		}
		this.#processNodes(now);
		this.startPasses(now + this.#settings.firstPassAfter, now + this.#settings.firstPassAfter);
	}

	/** Sets when the next pass of each kind begins; no monitor pass is set while one is under way. */
	startPasses(monitorPassAt: Instant | undefined, noExecutePassAt: Instant): void {
		this.#ports.wakeAt(noExecutePassAt, {type: 'noExecutePass'});
		if (monitorPassAt !== undefined) this.#ports.wakeAt(monitorPassAt, {type: 'monitorPass'});
	}

	/**
	 * Puts a monitor pass under way: for a machine that starts in the middle of one.
	 *
	 * @param pass the nodes it has still to look at, and the count of those it has
	 * @param marking for each worker that is at it, the pods it has still to mark not ready
	 * @param tokens in the client's bucket; below zero where calls wait in line
	 * @param backlog how many events wait to be posted
	 */
	adoptPass(
		pass: MonitorPass,
		marking: readonly (readonly Pod[])[],
		tokens: number,
		backlog: number,
		now: Instant,
	): void {
		this.#pass = pass;
		this.#client = this.#client.withTokens(tokens, now);
		for (let event = 0; event < backlog; event += 1) this.#record({reason: 'NodeNotReady', about: ''}, now);
		for (let worker = 0; worker < this.#settings.monitorWorkers; worker += 1) {
			const pods = marking[worker] ?? [];
			this.#start([{do: 'markPodsNotReady', pods, next: 0}, {do: 'checkNext'}], now);
		}
	}

	/** A node appeared or changed. */
	nodeChanged(name: string, now: Instant): void {
		this.#evictions.register(name);
		this.#nodePool.add(name);
		this.#processNodes(now);
	}

	nodeDeleted(name: string): void {
		this.#evictions.unregister(name);
	}

	/** A pod appeared or moved to another node. */
	podBound(pod: Pod, now: Instant): void {
		if (pod.nodeName === '') return;
		this.#podPool.add(podKey(pod));
		this.#processPods(now);
	}

	wake(wake: LifecycleWake, now: Instant): void {
		this.#wake(wake, now);
		this.#scheduleNoExecutePass(now);
	}

	#wake(wake: LifecycleWake, now: Instant): void {
		switch (wake.type) {
			case 'monitorPass':
				this.#start([{do: 'beginPass'}], now);
				break;
			case 'noExecutePass': {
				const zones = this.#waitingZones();
				const tryOne = this.#settings.taintBasedEvictions ? 'tryZone' : 'evictZone';
				this.#isQueuePassAtWork = true;
				this.#start([...zones.map((zone) => ({do: tryOne, zone}) as const), {do: 'endNoExecutePass'}], now);
				break;
			}
			case 'routine':
				this.#routines.wake(wake.id, this.#stepContext(now));
				break;
			case 'postEvent':
				this.#recorder.postFor(this.#ports, this.#client, now);
				break;
		}
	}

	/** A copy for another world. `random` is that world's. */
	fork(ports: LifecyclePorts, random: Random): NodeLifecycleController {
		const copy = new NodeLifecycleController(this.#settings, this.#process, ports, random);
		copy.#client = this.#client.fork();
		copy.#routines = this.#routines.fork();
		copy.#recorder = this.#recorder.fork();
		copy.#zones = this.#zones.fork();
		copy.#health = new Map(this.#health);
		copy.#knownNodes = new Set(this.#knownNodes);
		copy.#evictions = this.#evictions.fork();
		copy.#nodePool = this.#nodePool.fork();
		copy.#podPool = this.#podPool.fork();
		copy.#pass = this.#pass?.fork();
		copy.#isQueuePassAtWork = this.#isQueuePassAtWork;
		copy.#idleNoExecutePassAt = this.#idleNoExecutePassAt;
		return copy;
	}

	/** The pass over the zones' queues comes every 100 ms, and is scheduled only while something waits, on the same beat. */
	#scheduleNoExecutePass(now: Instant): void {
		const due = this.#idleNoExecutePassAt;
		if (due === undefined || this.#waitingZones().length === 0) return;
		const periods = Math.max(0, Math.ceil((now - due) / nodeEvictionPeriod));
		this.#idleNoExecutePassAt = undefined;
		this.#ports.wakeAt(due + periods * nodeEvictionPeriod, {type: 'noExecutePass'});
	}

	#waitingZones(): readonly string[] {
		return this.#zones.queued.filter((zone) => (this.#zones.queue(zone)?.size ?? 0) > 0);
	}

	#processNodes(now: Instant): void {
		const context = this.#context(now);
		for (let node = this.#nodePool.take(); node !== undefined; node = this.#nodePool.take()) {
			const steps: LifecycleStep[] = [
				{do: 'taintNoSchedule', node},
				{do: 'reconcileLabels', node},
			];
			if (needsProcessing(node, context)) this.#start([...steps, {do: 'nodeProcessed', node}], now);
			else this.#nodePool.done(node);
		}
	}

	#processPods(now: Instant): void {
		for (let pod = this.#podPool.take(); pod !== undefined; pod = this.#podPool.take()) {
			const steps: LifecycleStep[] = [{do: 'processPod', pod}];
			this.#start([...steps, {do: 'podProcessed', pod}], now);
		}
	}

	#start(steps: readonly LifecycleStep[], now: Instant): void {
		const isQueuePass = steps[0]?.do === 'tryZone' || steps[0]?.do === 'evictZone';
		const isLimited = isQueuePass && !this.#process.noExecuteCallsTakeTime;
		this.#routines.start(steps, isLimited ? 'immediate' : 'timed', this.#stepContext(now));
	}

	#stepContext(now: Instant) {
		const context = this.#steps(now);
		return {
			now,
			client: this.#client,
			run: (step: LifecycleStep, ok: boolean) => runStep(step, ok, context),
			wakeRoutineAt: (at: Instant, id: number) => this.#ports.wakeAt(at, {type: 'routine', id}),
		};
	}

	#steps(now: Instant): StepContext {
		const {nodeMonitorPeriod} = this.#settings;
		return {
			...this.#context(now),
			knownNodes: this.#knownNodes,
			pass: this.#pass,
			listsNodesByChance: this.#process.listsNodesByChance ?? false,
			beginChecks: (pass, workers) => {
				this.#pass = pass;
				for (let worker = 0; worker < workers; worker += 1) this.#start([{do: 'checkNext'}], now);
			},
			endPass: () => {
				this.#pass = undefined;
				this.#ports.wakeAt(now + nodeMonitorPeriod + this.#process.passDuration, {type: 'monitorPass'});
			},
			endNoExecutePass: () => {
				this.#isQueuePassAtWork = false;
				this.#idleNoExecutePassAt = now + nodeEvictionPeriod;
				this.#scheduleNoExecutePass(now);
			},
			nodeProcessed: (node) => {
				this.#nodePool.done(node);
				this.#processNodes(now);
			},
			podProcessed: (pod) => {
				this.#podPool.done(pod);
				this.#processPods(now);
			},
		};
	}

	#context(now: Instant): LifecycleContext {
		return {
			now,
			settings: this.#settings,
			api: this.#ports.api,
			zones: this.#zones,
			health: this.#health,
			evictions: this.#evictions,
			random: this.#random,
			isQueuePassAtWork: this.#isQueuePassAtWork,
			record: (event) => this.#record(event, now),
		};
	}

	#record(event: PostedEvent, now: Instant): void {
		this.#recorder.recordFor(this.#ports, event, this.#client, now);
	}
}
