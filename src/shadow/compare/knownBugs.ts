import {podKey} from '../../core/model/pod.ts';
import {parseVersion} from '../../core/model/versionProfile.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {tolerationOf} from '../../forecast/observe/countdowns/podTimers.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import {type CaseExplanation, explained, type UnexplainedAction} from './unexplainedAction.ts';

/** How long after its taint was removed a pod may still be deleted: the controller's caches lag. */
const race: Duration = 5 * second;
/** How long an eviction may suppress the next one of the same name. */
const maxSuppression: Duration = 10 * minute;
/** Since v1.33 the key of a finished eviction is always removed. */
const firstFixedMinor = 33;

/** The Kubernetes bug that explains a divergence, if any; cited by its number. */
export function knownBug(
	one: UnexplainedAction,
	world: ClusterHistory,
	version: string | undefined,
): CaseExplanation | undefined {
	return suppressed(one, world, version) ?? raced(one, world);
}

/** A pod whose name was evicted before: new work of an existing key is skipped. */
function suppressed(
	{action, kind, pod, object}: UnexplainedAction,
	world: ClusterHistory,
	version: string | undefined,
): CaseExplanation | undefined {
	if (action !== 'DeletePod' || (kind !== 'Missing' && kind !== 'Late') || !pod) return undefined;
	const earlier = world.evicted.get(podKey(pod));
	if (!earlier || earlier.uid === object.uid || pod.createdAt - earlier.at > maxSuppression) return undefined;
	const minor = (version && parseVersion(version)?.[1]) || Number.POSITIVE_INFINITY;
	const bug = minor < firstFixedMinor ? 'kubernetes/kubernetes#107543' : 'kubernetes/kubernetes#125332';
	return explained('KnownBug', [
		`An earlier pod of its name was evicted: its timer may have been skipped, as ${bug} tells.`,
	]);
}

/** A pod that is deleted just after its taint was removed, as the controller used an older node. */
function raced(
	{action, kind, at, node, pod}: UnexplainedAction,
	world: ClusterHistory,
): CaseExplanation | undefined {
	if (action !== 'DeletePod' || kind === 'Missing' || !at || !pod) return undefined;
	const lost = world.taintsLost.get(node);
	if (!lost || at.lo - lost.at.hi > race || at.hi < lost.at.lo) return undefined;
	if (tolerationOf(pod, lost.taints, true).type !== 'limited') return undefined;
	return explained('KnownBug', [
		'It was deleted though its taint had just gone: the controller looked at a node of a moment ago, as kubernetes/kubernetes#119862 tells.',
	]);
}
