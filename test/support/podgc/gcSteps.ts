import type {VersionedNode, WriteResult} from '../../../src/core/client/clusterApi.ts';
import {call, done, failed, first, type Next} from '../../../src/core/client/routines.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {isPodTerminal, type Pod} from '../../../src/core/model/pod.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {NodeQuarantine} from './nodeQuarantine.ts';

/** What the collector sees of the cluster, and writes. */
export type GcApi = {
	readonly nodes: () => readonly VersionedNode[];
	readonly node: (name: string) => VersionedNode | undefined;
	readonly pods: () => Iterable<Pod>;
	/** Sets a pod's phase to Failed; refused if another pod has taken its name. */
	readonly failPod: (pod: Pod, isDisruptionTarget: boolean) => WriteResult;
	/** Deletes the pod of this name at once, without a grace period, even if its UID differs. */
	readonly removePod: (pod: Pod) => WriteResult;
};

/** The pass in progress. Immutable. */
export type GcPass = {
	/** The nodes that existed when it began. */
	readonly nodes: ReadonlySet<string>;
	readonly orphans: readonly Pod[];
	readonly unscheduled: readonly Pod[];
	/** How many Terminating pods are still being removed. */
	readonly removing: number;
	/** The nodes that the API server reported as not found in this pass. */
	readonly gone: ReadonlySet<string>;
};

/** Every step that a goroutine of the collector can take. */
export type GcStep =
	| {readonly do: 'terminatingRemoved' | 'quarantine' | 'askForNodes' | 'removeOrphans' | 'endPass'}
	| {readonly do: 'nodeRead'; readonly node: string}
	| PodRemovalStep;

type GcContext = {
	readonly now: Instant;
	readonly api: GcApi;
	/** Whether missing nodes are quarantined, and whether a pod's status gets the reason. */
	readonly settings: Pick<ControllerSettings, 'quarantinesMissingNodes' | 'podDisruptionConditions'>;
	readonly quarantine: NodeQuarantine;
	readonly pass: GcPass | undefined;
	/** Undefined ends the pass. */
	readonly setPass: (pass: GcPass | undefined) => void;
};

/** Does one step of a pass; does nothing if no pass is in progress. */
export function runGcStep(step: GcStep, context: GcContext): Next<GcStep> {
	const {pass, setPass} = context;
	if (!pass) return done;
	switch (step.do) {
		case 'terminatingRemoved':
			setPass({...pass, removing: pass.removing - 1});
			return pass.removing === 1
				? then(context.settings.quarantinesMissingNodes ? 'quarantine' : 'removeOrphans')
				: done;
		case 'quarantine':
			for (const {nodeName} of pass.orphans) context.quarantine.add(nodeName, context.now);
			return then('askForNodes');
		case 'askForNodes':
			return askForNextNode(pass, context);
		case 'nodeRead':
			if (!context.api.node(step.node)) setPass({...pass, gone: new Set(pass.gone).add(step.node)});
			return then('askForNodes');
		case 'removeOrphans':
			return first([...removals(pass), {do: 'endPass'}]);
		case 'endPass':
			setPass(undefined);
			return done;
		default:
			return runPodRemoval(step, context);
	}
}

const then = (next: 'quarantine' | 'askForNodes' | 'removeOrphans'): Next<GcStep> => first([{do: next}]);

/**
 * Asks the API server for each missing node whose quarantine is over. A node that exists again is skipped.
 *
 * @quirk a node that comes back and goes again within its quarantine is given no new one
 * @quirk a pod that comes late to a node that is gone shares the quarantine that runs for it
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go discoverDeletedNodes
 */
function askForNextNode(pass: GcPass, {quarantine, now}: GcContext): Next<GcStep> {
	for (let node = quarantine.take(now); node !== undefined; node = quarantine.take(now)) {
		if (!pass.nodes.has(node)) return call({do: 'nodeRead', node});
	}
	return first([{do: 'removeOrphans'}]);
}

/**
 * Removes pods one after another: first those of deleted nodes, then those that were never bound.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go gcOrphaned
 */
const removals = ({orphans, unscheduled, gone}: GcPass): readonly GcStep[] => [
	...orphans
		.filter(({nodeName}) => gone.has(nodeName))
		.map((pod): GcStep => ({do: 'removePod', pod, isOrphan: true})),
	...unscheduled.map((pod): GcStep => ({do: 'removePod', pod, isOrphan: false})),
];

/** The removal of one pod: its phase is set to Failed, then it is deleted without a grace period. */
export type PodRemovalStep =
	| {readonly do: 'removePod' | 'podFailed'; readonly pod: Pod; readonly isOrphan: boolean}
	| {readonly do: 'podRemoved'; readonly pod: Pod};

/**
 * Does one step of a removal. An orphan's status gets the reason: DisruptionTarget, DeletionByPodGC.
 *
 * @quirk a pod that has finished is deleted without a word of why
 * @quirk a removal that fails is not tried again before the next pass
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go markFailedAndDeletePodWithCondition
 */
export function runPodRemoval(
	step: PodRemovalStep,
	{
		api,
		settings,
	}: {readonly api: GcApi; readonly settings: Pick<ControllerSettings, 'podDisruptionConditions'>},
): Next<PodRemovalStep> {
	switch (step.do) {
		case 'removePod':
			return isPodTerminal(step.pod) || !settings.podDisruptionConditions
				? call({do: 'podRemoved', pod: step.pod})
				: call({...step, do: 'podFailed'});
		case 'podFailed':
			if (api.failPod(step.pod, step.isOrphan) !== 'written') return failed;
			return call({do: 'podRemoved', pod: step.pod});
		case 'podRemoved':
			return api.removePod(step.pod) === 'written' ? done : failed;
	}
}
