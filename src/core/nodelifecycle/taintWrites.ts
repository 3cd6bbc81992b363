import type {TaintChange, VersionedNode} from '../client/clusterApi.ts';
import {call, done, failed, type Next, sleep} from '../client/routines.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import {hasTaint, matchesTaint, notReadyTaint, type Taint, unreachableTaint} from '../model/taint.ts';
import type {LifecycleContext} from './lifecycleContext.ts';

/** A change of a node's taints in progress: read the node, patch it, and start over after a conflict. */
export type TaintWriteStep =
	| Readonly<{
			do: 'addTaints' | 'removeTaints';
			node: string;
			taints: readonly Taint[];
			attempt: number;
	  }>
	| {readonly do: 'readNode'; readonly retry: RetriedStep}
	| Readonly<{
			do: 'patchTaints';
			seen: VersionedNode;
			taints: readonly Taint[];
			retry: RetriedStep;
	  }>;

type RetriedStep = Extract<TaintWriteStep, {attempt: number}>;

/** The taint of a node that is not ready, and the one that it must not have beside it. */
export const noExecuteFor = (ready: ConditionStatus | undefined) =>
	ready === 'Unknown'
		? {own: unreachableTaint, opposite: notReadyTaint}
		: {own: notReadyTaint, opposite: unreachableTaint};

const maxAttempts = 5;
const retryAfter = 100;

/**
 * Steps that add taints, then remove others; the caller's copy of the node decides whether there is any to remove.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go SwapNodeControllerTaint
 */
export function swapTaints(node: Node, {add, remove}: TaintChange): readonly TaintWriteStep[] {
	const steps: TaintWriteStep[] = [];
	if (add.length > 0) steps.push({do: 'addTaints', node: node.name, taints: add, attempt: 1});
	return [...steps, ...removeTaints(node, remove)];
}

/**
 * Steps that remove taints from a node; none if the caller's copy of the node has none of them.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/controller_utils.go RemoveTaintOffNode
 */
export function removeTaints(node: Node, taints: readonly Taint[]): readonly TaintWriteStep[] {
	if (!taints.some((taint) => hasTaint(node.taints, taint))) return [];
	return [{do: 'removeTaints', node: node.name, taints, attempt: 1}];
}

/** Does one step of a taint write. A write that follows a failed one is skipped. */
export function runTaintWrite(
	step: TaintWriteStep,
	okBefore: boolean,
	context: LifecycleContext,
): Next<TaintWriteStep> {
	switch (step.do) {
		case 'addTaints':
		case 'removeTaints':
			return okBefore ? call({do: 'readNode', retry: step}) : failed;
		case 'readNode':
			return planPatch(step.retry, context);
		case 'patchTaints':
			return patch(step, context);
	}
}

function planPatch(retry: RetriedStep, {api}: LifecycleContext): Next<TaintWriteStep> {
	const seen = api.node(retry.node);
	if (!seen) return failed;
	const before = seen.node.taints;
	const taints =
		retry.do === 'addTaints' ? withAdded(before, retry.taints) : withRemoved(before, retry.taints);
	if (isSame(before, taints)) return done;
	return call({do: 'patchTaints', seen, taints, retry});
}

/**
 * @upstream kubernetes v1.36.3 pkg/controller/controller_utils.go PatchNodeTaints
 */
function patch(
	{seen, taints, retry}: Extract<TaintWriteStep, {do: 'patchTaints'}>,
	{api, random}: LifecycleContext,
): Next<TaintWriteStep> {
	const result = api.writeTaints(seen.node.name, seen.version, taints);
	if (result === 'written') return done;
	if (result === 'notFound' || retry.attempt === maxAttempts) return failed;
	return sleep(retryAfter * (1 + random.next()), {...retry, attempt: retry.attempt + 1});
}

/**
 * Replaces a taint of the same key and effect, including its value and time.
 *
 * @upstream kubernetes v1.36.3 pkg/util/taints/taints.go AddOrUpdateTaint
 */
function withAdded(taints: readonly Taint[], added: readonly Taint[]): readonly Taint[] {
	const kept = taints.map((taint) => added.find((other) => matchesTaint(other, taint)) ?? taint);
	return [...kept, ...added.filter((taint) => !hasTaint(taints, taint))];
}

function withRemoved(taints: readonly Taint[], removed: readonly Taint[]): readonly Taint[] {
	return taints.filter((taint) => !removed.some((other) => matchesTaint(other, taint)));
}

function isSame(before: readonly Taint[], after: readonly Taint[]) {
	return before.length === after.length && before.every((taint, index) => isEqual(taint, after[index]));
}

const isEqual = (a: Taint, b: Taint | undefined) =>
	b !== undefined && matchesTaint(a, b) && a.value === b.value && a.timeAdded === b.timeAdded;
