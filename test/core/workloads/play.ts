import {decodeNode} from '../../../src/cluster/codec/decodeNode.ts';
import {decodePod, PodParts} from '../../../src/cluster/codec/decodePod.ts';
import {
	decodeBudget,
	decodeDaemonSet,
	decodeJob,
	decodeReplicated,
} from '../../../src/cluster/workloads/decodeController.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {isPodTerminal, type Pod} from '../../../src/core/model/pod.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import type {JobRules} from '../../../src/core/model/workloads/jobRules.ts';
import type {Controller} from '../../../src/core/model/workloads/related.ts';
import {selects} from '../../../src/core/model/workloads/selects.ts';
import {second} from '../../../src/core/time/instant.ts';
import {daemonNode, syncDaemonNode} from '../../../src/core/workloads/daemonSet.ts';
import {
	actionFor,
	hasEnded,
	isFailed,
	type JobBackoff,
	type JobPod,
	syncJob,
} from '../../../src/core/workloads/job.ts';
import {gracePeriodOf, jobTracking} from '../../../src/core/workloads/podEnd.ts';
import {isActive, isReady, syncReplicas} from '../../../src/core/workloads/replicas.ts';
import {syncStatefulSet} from '../../../src/core/workloads/statefulSet.ts';
import type {RawObject, WorkloadAction, WorkloadScenario, WorkloadStep} from './vector.ts';

type SimPod = Pod & Pick<JobPod, 'exitCodes'>;

const ignore = () => undefined;
const newYear = Date.UTC(2000, 0, 1);
/** The Job controller looks at changes of pods once a second. */
const jobBatch = second;

/** Plays a scenario with the ported rules: an API server, kubelets, and the controllers' workers. */
export class WorkloadPlayer {
	readonly trace: WorkloadAction[] = [];
	readonly #scenario: WorkloadScenario;
	readonly #pods = new Map<string, SimPod>();
	readonly #nodes = new Map<string, Node>();
	readonly #made = new Map<string, number>();
	readonly #events: {at: number; run: () => void}[] = [];
	#controller: Controller | undefined;
	#job: JobRules | undefined;
	#backoff: JobBackoff | undefined;
	#now = newYear;

	constructor(scenario: WorkloadScenario) {
		this.#scenario = scenario;
		for (const object of scenario.objects) this.#apply(object);
		this.#at(0, () => this.#sync());
		for (const step of scenario.steps)
			this.#at(step.at * second, () => {
				this.#step(step);
				this.#changed();
			});
	}

	run(): this {
		const end = newYear + this.#scenario.until * second;
		for (;;) {
			this.#events.sort((a, b) => a.at - b.at);
			const next = this.#events.shift();
			if (!next || next.at > end) return this;
			this.#now = next.at;
			next.run();
		}
	}

	/** What the objects say in the end. */
	get statuses(): Readonly<Record<string, Readonly<Record<string, number | string>>>> {
		const pods = [...this.#pods.values()];
		const active = pods.filter(isActive);
		const {kind = ''} = this.#controller ?? {};
		const job = this.#job;
		const ofKind: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
			ReplicaSet: {replicas: active.length, ready: active.filter(isReady).length},
			StatefulSet: {ready: pods.filter((pod) => pod.phase === 'Running' && isReady(pod)).length},
			...(job && {
				Job: {
					failed: job.failed,
					succeeded: job.succeeded,
					completedIndexes: job.completedIndexes,
					failedIndexes: job.failedIndexes,
				},
			}),
		};
		const ofBudget = this.#scenario.objects.find(({kind}) => kind === 'PodDisruptionBudget');
		const budget = ofBudget && decodeBudget(ofBudget);
		const healthy = (selector: Parameters<typeof selects>[0]) =>
			pods.filter(
				(pod) => pod.deletionTimestamp === undefined && isReady(pod) && selects(selector, pod.labels),
			).length;
		return {
			...(ofKind[kind] && {[`${kind}/w`]: ofKind[kind]}),
			...(budget && {'PodDisruptionBudget/budget': {currentHealthy: healthy(budget.selector)}}),
		};
	}

	/** Whether a pod is left that nobody ends, for which the end of a Job waits. */
	get isStuck(): boolean {
		return [...this.#pods.values()].some(({deletionTimestamp}) => deletionTimestamp !== undefined);
	}

	get ended(): string | undefined {
		return this.#job?.ended;
	}

	#at(after: number, run: () => void): void {
		this.#events.push({at: after < newYear ? newYear + after : after, run});
	}

	#apply(object: RawObject): void {
		if (object.kind === 'Pod') {
			const pod = decodePod(object, new PodParts(), ignore);
			if (pod) this.#pods.set(pod.name, pod);
		} else if (object.kind === 'Node') {
			const node = decodeNode(object, ignore);
			if (node) this.#nodes.set(node.name, node);
		} else if (object.kind !== 'PodDisruptionBudget') {
			const decode =
				object.kind === 'Job'
					? decodeJob
					: object.kind === 'DaemonSet'
						? decodeDaemonSet
						: (value: unknown) => decodeReplicated(object.kind, value);
			this.#controller = decode(object);
			this.#job = this.#controller?.job;
		}
	}

	#step({apply, evict, fail, exitCode, succeed, unready, ready, force, release}: WorkloadStep): void {
		if (apply) this.#apply(apply);
		if (evict !== undefined) {
			this.#change(evict, () => ({isDisruptionTarget: true}));
			this.#request(evict);
		}
		if (fail !== undefined) this.#fail(fail, exitCode ?? 0);
		if (succeed !== undefined)
			this.#change(succeed, ({phase}) =>
				phase === 'Failed' ? {} : {phase: 'Succeeded', ...this.#notReady(succeed)},
			);
		if (unready !== undefined) this.#change(unready, () => this.#notReady(unready));
		if (ready !== undefined)
			this.#change(ready, (pod) => (isPodTerminal(pod) ? {} : {phase: 'Running', ready: 'True'}));
		if (force !== undefined) this.#request(force, 0);
		if (release !== undefined)
			this.#change(release, ({finalizers}) => ({
				finalizers: finalizers?.filter((one) => one === jobTracking) ?? [],
			}));
	}

	#notReady(name: string): Partial<SimPod> {
		const was = this.#pods.get(name)?.ready;
		return was === 'False' ? {} : {ready: 'False', readyChangedAt: this.#now};
	}

	#fail(name: string, exitCode: number): void {
		const pod = this.#pods.get(name);
		if (!pod || pod.phase === 'Succeeded' || pod.phase === 'Failed') return;
		const ofContainers = exitCode === 0 ? {} : {exitCodes: [exitCode]};
		// A container's end dates the failure, where it is known.
		const at = exitCode === 0 ? this.#notReady(name) : {ready: 'False' as const, readyChangedAt: this.#now};
		this.#change(name, () => ({phase: 'Failed', ...at, ...ofContainers}));
	}

	#change(name: string, change: (pod: SimPod) => Partial<SimPod>): void {
		const pod = this.#pods.get(name);
		if (!pod) return;
		const changed = {...pod, ...change(pod)};
		const isDone = changed.deletionGracePeriodSeconds === 0 && (changed.finalizers ?? []).length === 0;
		if (isDone) this.#pods.delete(name);
		else this.#pods.set(name, changed);
	}

	#request(name: string, period?: number): void {
		const pod = this.#pods.get(name);
		if (!pod) return;
		const grace = period ?? gracePeriodOf(pod);
		if (pod.deletionGracePeriodSeconds !== undefined && pod.deletionGracePeriodSeconds <= grace) return;
		this.#change(name, () => ({
			deletionTimestamp: this.#now + grace * second,
			deletionGracePeriodSeconds: grace,
		}));
		if (grace === 0 || this.#scenario.deadNodes.includes(pod.nodeName)) return;
		this.#at(this.#now + second, () => {
			if (this.#pods.get(name)?.uid !== pod.uid) return;
			this.#fail(name, 137);
			this.#request(name, 0);
			this.#changed();
		});
	}

	/** The controllers look at what has changed. */
	#changed(): void {
		if (this.#job) this.#at(this.#now + jobBatch, () => this.#sync());
		else this.#sync();
	}

	#create(prefix: string, name: string | undefined, fields: Partial<SimPod>): void {
		const number = (this.#made.get(prefix) ?? 0) + 1;
		this.#made.set(prefix, number);
		const pod: SimPod = {
			namespace: 'shop',
			name: name ?? `${prefix}c${number}`,
			uid: `${prefix} ${number}`,
			nodeName: 'fresh',
			createdAt: this.#now,
			labels: {app: 'w'},
			tolerations: [],
			phase: 'Pending',
			isMirror: false,
			...fields,
		};
		this.#pods.set(pod.name, pod);
		this.#add('create', pod.name);
		if (this.#scenario.readyAfter < 0) return;
		this.#at(this.#now + this.#scenario.readyAfter * second, () => {
			const now = this.#pods.get(pod.name);
			if (now?.uid !== pod.uid || now.deletionTimestamp !== undefined || now.phase !== 'Pending') return;
			this.#change(pod.name, () => ({phase: 'Running', ready: 'True'}));
			this.#changed();
		});
	}

	#delete(name: string): void {
		this.#add('delete', name);
		this.#request(name);
	}

	#add(kind: string, pod: string): void {
		this.trace.push({at: this.#now - newYear, kind, pod});
	}

	#sync(): void {
		const controller = this.#controller;
		for (let round = 0; controller && round < 20; round += 1) {
			const before = this.trace.length;
			if (controller.kind === 'ReplicaSet') this.#syncReplicaSet(controller);
			if (controller.kind === 'StatefulSet') this.#syncStatefulSet(controller);
			if (controller.kind === 'DaemonSet') this.#syncDaemonSet(controller);
			if (controller.kind === 'Job') this.#syncJob();
			if (this.trace.length === before) return;
		}
	}

	#syncReplicaSet({desired}: Controller): void {
		const missing = syncReplicas(desired, [...this.#pods.values()].filter(isActive).length);
		for (let left = missing; left > 0; left -= 1) this.#create('w-', undefined, {});
	}

	#syncStatefulSet({name, desired, ordinals = {start: 0, isParallel: false}}: Controller): void {
		const {creates, deletes} = syncStatefulSet({name, desired, ...ordinals}, [...this.#pods.values()]);
		for (const ordinal of creates) this.#create(`w-${ordinal}`, `w-${ordinal}`, {});
		for (const pod of deletes) this.#delete(pod);
	}

	#syncDaemonSet({template, maySurge = false}: Controller): void {
		for (const node of this.#nodes.values()) {
			const there = [...this.#pods.values()].filter(({nodeName}) => nodeName === node.name);
			const {creates, deletes} = syncDaemonNode(daemonNode(template, node), there, maySurge);
			if (creates) this.#create('w-', undefined, {nodeName: node.name});
			for (const pod of deletes) this.#delete(pod);
		}
	}

	#syncJob(): void {
		const job = this.#job;
		if (!job || hasEnded(job)) return;
		const pods = [...this.#pods.values()];
		const result = syncJob(job, pods, defaultSettings, this.#now, this.#backoff);
		this.#backoff = result.backoff;
		const {failsFor, completes, creates, indexes} = result;
		const active = pods.filter(isActive);
		if (failsFor !== undefined || completes) for (const pod of active) this.#delete(pod.name);
		const finalizers = [jobTracking];
		if (job.isIndexed) {
			for (const completionIndex of indexes) {
				const last = pods
					.filter((pod) => pod.completionIndex === completionIndex && isFailed(pod, job, defaultSettings))
					.map(({indexFailures = 0}) => indexFailures + 1);
				this.#create(`w-${completionIndex}-`, undefined, {
					completionIndex,
					indexFailures: Math.max(0, ...last),
					finalizers,
				});
			}
		} else for (let left = creates; left > 0; left -= 1) this.#create('w-', undefined, {finalizers});
		if (result.waits > 0) this.#at(this.#now + result.waits, () => this.#sync());
		this.#count(job, result);
		if (creates > 0 || failsFor !== undefined || completes) this.#changed();
	}

	/** Counts the pods that have ended in the status, and takes the finalizer from them. */
	#count(job: JobRules, {failsFor, completes, failedIndexes}: ReturnType<typeof syncJob>): void {
		const isEnding = failsFor !== undefined || completes;
		const pods = [...this.#pods.values()];
		const running = new Set(pods.filter(isActive).map(({completionIndex}) => completionIndex));
		const isPerIndex = job.isIndexed && job.backoffLimitPerIndex !== undefined;
		let {failed, succeeded, completedIndexes} = job;
		for (const pod of pods) {
			if (pod.finalizers?.includes(jobTracking) !== true) continue;
			const isLost = isFailed(pod, job, defaultSettings) || (isEnding && pod.phase !== 'Succeeded');
			if (!isLost && pod.phase !== 'Succeeded') continue;
			const index = pod.completionIndex;
			const waits = isPerIndex && index !== undefined && !running.has(index) && !failedIndexes.has(index);
			if (pod.phase !== 'Succeeded' && waits && !isEnding) continue;
			if (pod.phase === 'Succeeded') {
				succeeded += 1;
				if (job.isIndexed && index !== undefined)
					completedIndexes = joined([...completedIndexes.split(',').filter(Boolean).map(Number), index]);
			} else if (actionFor(pod, job, defaultSettings) !== 'Ignore') failed += 1;
			this.#change(pod.name, ({finalizers}) => ({
				finalizers: finalizers?.filter((one) => one !== jobTracking) ?? [],
			}));
		}
		const ended = failsFor !== undefined ? 'Failed' : completes ? 'Complete' : undefined;
		this.#job = {
			...job,
			...{failed, completedIndexes, failedIndexes: joined([...failedIndexes])},
			succeeded: job.isIndexed ? new Set(completedIndexes.split(',').filter(Boolean)).size : succeeded,
			...(ended !== undefined && {ended}),
		};
	}
}

const joined = (indexes: readonly number[]): string =>
	[...new Set(indexes)].toSorted((a, b) => a - b).join(',');
