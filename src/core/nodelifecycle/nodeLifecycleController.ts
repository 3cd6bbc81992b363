import {ApiClient} from '../client/apiClient.ts';
import type {ClusterApi} from '../client/clusterApi.ts';
import {EventRecorder} from '../client/eventRecorder.ts';
import {type RoutineContext, Routines} from '../client/routines.ts';
import {WorkerPool} from '../client/workerPool.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';
import {type LifecycleStep, runStep, type StepContext} from './lifecycleSteps.ts';
import type {MonitorPass} from './monitorPass.ts';
import {NodeEvictions} from './nodeEvictions.ts';
import type {NodeHealth} from './nodeHealth.ts';
import {needsProcessing} from './nodeProcessing.ts';
import {PassTimes} from './passTimes.ts';
import {nodeWorkers, type ProcessSettings, podWorkers} from './processSettings.ts';
import {Zones} from './zones/zones.ts';

/** What wakes the controller: one of its periods, a waiting routine, or its event recorder. */
export type LifecycleWake =
	| {readonly type: 'monitorPass' | 'noExecutePass' | 'postEvent'}
	| {readonly type: 'routine'; readonly id: number};

type LifecyclePorts = {
	readonly api: ClusterApi;
	readonly wakeAt: (at: Instant, wake: LifecycleWake) => void;
};

/** The state and the callbacks of all steps; `now` is set at each entry into the controller. */
type Context = {
	-readonly [Key in keyof (StepContext & RoutineContext<LifecycleStep>)]: (StepContext &
		RoutineContext<LifecycleStep>)[Key];
};

/**
 * Watches the nodes' heartbeats, marks silent nodes Unknown, and taints them at each zone's rate.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go Controller
 */
export class NodeLifecycleController {
	readonly #process: ProcessSettings;
	readonly #ports: LifecyclePorts;
	/** One object shared by all steps, because there are millions of them. */
	readonly #context: Context;
	#routines = new Routines<LifecycleStep>();
	#recorder = new EventRecorder();
	#nodePool = new WorkerPool(nodeWorkers);
	#podPool = new WorkerPool(podWorkers);
	#passTimes: PassTimes;
	#firstPassAt: Instant | undefined;

	constructor(settings: ControllerSettings, process: ProcessSettings, ports: LifecyclePorts, random: Random) {
		this.#process = process;
		this.#ports = ports;
		this.#passTimes = new PassTimes(process.noExecuteBesidePass, this.#wakeForPass);
		this.#context = {
			now: 0,
			settings,
			random,
			api: ports.api,
			client: new ApiClient(settings.kubeApiQps, settings.kubeApiBurst, process.callDuration),
			zones: new Zones(settings),
			health: new Map<string, NodeHealth>(),
			knownNodes: new Set<string>(),
			evictions: new NodeEvictions(),
			pass: undefined,
			isNoExecutePassAtWork: false,
			listsNodesInRandomOrder: process.listsNodesInRandomOrder ?? false,
			podMarksTakeTime: process.podMarksTakeTime ?? true,
			cacheDelay: process.cacheDelay ?? 0,
			...this.#callbacks(),
		};
	}

	get zones(): Zones {
		return this.#context.zones;
	}

	/** The remembered health of each node. A forecast that starts in the middle of a pass sets it. */
	get health(): Map<string, NodeHealth> {
		return this.#context.health;
	}

	/** The nodes that a pass has registered. */
	get knownNodes(): Set<string> {
		return this.#context.knownNodes;
	}

	get evictions(): NodeEvictions {
		return this.#context.evictions;
	}

	get pass(): MonitorPass | undefined {
		return this.#context.pass;
	}

	/** Whether nothing happens until the next periodic pass, and no node waits for a token. */
	get isIdle() {
		return this.pass === undefined && this.#routines.areIdle && !this.zones.someWait;
	}

	/**
	 * Starts the workers and the periodic passes with empty state.
	 *
	 * @quirk the first NoExecute pass may find nodes that the first monitor pass has queued, but whose zone it has not judged yet
	 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go Run
	 */
	start(now: Instant) {
		const {api, evictions, settings} = this.#context;
		for (const {node} of api.nodes()) {
			evictions.register(node.name);
			this.#nodePool.add(node.name);
		}
		this.#context.now = now;
		this.#processNodes();
		const firstPassAt = now + settings.firstPassAfter;
		if (this.#process.firstPassesMeet) this.#firstPassAt = firstPassAt;
		this.startPasses(firstPassAt, firstPassAt);
	}

	/** Sets when the next pass of each kind begins; no monitor pass is scheduled while one is in progress. */
	startPasses(monitorPassAt: Instant | undefined, noExecutePassAt: Instant) {
		this.#passTimes.start(monitorPassAt, noExecutePassAt);
	}

	readonly #wakeForPass = (at: Instant, type: 'monitorPass' | 'noExecutePass') =>
		this.#ports.wakeAt(at, {type});

	/**
	 * Sets a monitor pass in progress, for a controller that starts in the middle of one.
	 *
	 * @param pass the nodes still to check, and the count of those already checked
	 * @param marking for each worker that is marking pods, the pods still to mark not ready
	 * @param tokens of the client's bucket; negative if calls wait in line
	 * @param backlog the number of events that wait to be posted
	 */
	adoptPass(
		pass: MonitorPass,
		marking: readonly (readonly Pod[])[],
		tokens: number,
		backlog: number,
		now: Instant,
	) {
		const context = this.#context;
		Object.assign(context, {now, pass, client: context.client.withTokens(tokens, now)});
		for (let event = 0; event < backlog; event += 1) context.record({reason: 'NodeNotReady', about: ''});
		for (let worker = 0; worker < context.settings.monitorWorkers; worker += 1) {
			const pods = marking[worker] ?? [];
			this.#start([{do: 'markPodsNotReady', pods, next: 0}, {do: 'checkNext'}]);
		}
	}

	nodeChanged(name: string, now: Instant) {
		this.#context.now = now;
		this.#context.evictions.register(name);
		this.#nodePool.add(name);
		this.#processNodes();
	}

	nodeDeleted(name: string) {
		this.#context.evictions.unregister(name);
	}

	podBound(pod: Pod, now: Instant) {
		if (pod.nodeName === '') return;
		this.#context.now = now;
		this.#podPool.add(podKey(pod));
		this.#processPods();
	}

	wake(wake: LifecycleWake, now: Instant) {
		this.#context.now = now;
		this.#wake(wake);
		this.#scheduleNoExecutePass();
	}

	#wake(wake: LifecycleWake) {
		switch (wake.type) {
			case 'monitorPass':
				this.#start([{do: 'beginPass'}]);
				break;
			case 'noExecutePass': {
				const {now, pass} = this.#context;
				const isLeft = this.#passTimes.isLeftToMonitorPass(now, pass !== undefined);
				// Most of these passes find no token and end at once.
				if (!isLeft && this.#mayTakeOne) {
					this.#context.isNoExecutePassAtWork = true;
					this.#start([...this.#tryZones(), {do: 'endNoExecutePass'}]);
				} else this.#context.endNoExecutePass();
				break;
			}
			case 'routine':
				this.#routines.wake(wake.id, this.#context);
				break;
			case 'postEvent':
				this.#recorder.postFor(this.#ports, this.#context.client, this.#context.now);
				break;
		}
	}

	/** Whether a node waits in a queue whose limiter has a token. */
	get #mayTakeOne() {
		return this.zones.waitAt(this.#context.now) <= 0;
	}

	#tryZones(): readonly LifecycleStep[] {
		const {zones, settings} = this.#context;
		const tryOne = settings.taintBasedEvictions ? 'tryZone' : 'evictZone';
		return zones.waiting.map((zone) => ({do: tryOne, zone}));
	}

	/** A copy for another simulation, with that simulation's `random`. */
	fork(ports: LifecyclePorts, random: Random): NodeLifecycleController {
		const {settings, client, zones, health, knownNodes, evictions, pass, ...rest} = this.#context;
		const copy = new NodeLifecycleController(settings, this.#process, ports, random);
		Object.assign(copy.#context, {
			now: rest.now,
			isNoExecutePassAtWork: rest.isNoExecutePassAtWork,
			client: client.fork(),
			zones: zones.fork(),
			evictions: evictions.fork(),
			pass: pass?.fork(),
			health: new Map(health),
			knownNodes: new Set(knownNodes),
		});
		copy.#firstPassAt = this.#firstPassAt;
		copy.#routines = this.#routines.fork();
		copy.#recorder = this.#recorder.fork();
		copy.#nodePool = this.#nodePool.fork();
		copy.#podPool = this.#podPool.fork();
		copy.#passTimes = this.#passTimes.fork(copy.#wakeForPass);
		return copy;
	}

	#scheduleNoExecutePass() {
		const {now, zones, pass} = this.#context;
		this.#passTimes.scheduleNoExecutePass(now, zones, pass === undefined && this.#routines.areIdle);
	}

	#processNodes() {
		for (let node = this.#nodePool.take(); node !== undefined; node = this.#nodePool.take()) {
			const steps: LifecycleStep[] = [
				{do: 'taintNoSchedule', node},
				{do: 'reconcileLabels', node},
			];
			if (needsProcessing(node, this.#context)) this.#start([...steps, {do: 'nodeProcessed', node}]);
			else this.#nodePool.done(node);
		}
	}

	#processPods() {
		for (let pod = this.#podPool.take(); pod !== undefined; pod = this.#podPool.take()) {
			const steps: LifecycleStep[] = [{do: 'processPod', pod}];
			this.#start([...steps, {do: 'podProcessed', pod}]);
		}
	}

	#start(steps: readonly LifecycleStep[]) {
		const isNoExecutePass = steps[0]?.do === 'tryZone' || steps[0]?.do === 'evictZone';
		const isLimited = isNoExecutePass && !this.#process.noExecuteCallsTakeTime;
		this.#routines.start(steps, isLimited ? 'immediate' : 'timed', this.#context);
	}

	/** The callbacks that let steps change the controller and its environment. */
	#callbacks() {
		return {
			run: (step, ok) => runStep(step, ok, this.#context),
			wakeRoutineAt: (at, id) => this.#ports.wakeAt(at, {type: 'routine', id}),
			record: (event) =>
				this.#recorder.recordFor(this.#ports, event, this.#context.client, this.#context.now),
			beginChecks: (pass, workers) => {
				this.#context.pass = pass;
				for (let worker = 0; worker < workers; worker += 1) this.#start([{do: 'checkNext'}]);
			},
			endChecks: () => {
				const {now, random} = this.#context;
				const meets = this.#firstPassAt === now && random.next() < 1 / 2;
				const isInPass = meets || this.#process.noExecuteBesidePass === 'inPass';
				if (isInPass && this.#mayTakeOne) this.#start(this.#tryZones());
			},
			endPass: () => {
				const {now, settings} = this.#context;
				this.#context.pass = undefined;
				this.#passTimes.scheduleMonitorPass(now + settings.nodeMonitorPeriod + this.#process.passDuration);
			},
			endNoExecutePass: () => {
				this.#context.isNoExecutePassAtWork = false;
				this.#passTimes.endNoExecutePass(this.#context.now);
				this.#scheduleNoExecutePass();
			},
			nodeProcessed: (node) => {
				this.#nodePool.done(node);
				this.#processNodes();
			},
			podProcessed: (pod) => {
				this.#podPool.done(pod);
				this.#processPods();
			},
		} satisfies Partial<Context>;
	}
}
