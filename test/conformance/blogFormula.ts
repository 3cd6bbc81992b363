import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {nodeCondition} from '../../src/core/model/node.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {type Taint, taintUnreachable} from '../../src/core/model/taint.ts';
import {noExecuteTaints} from '../../src/core/tainteviction/taintEvictionController.ts';
import {matchingTolerations, minTolerationTime} from '../../src/core/tainteviction/tolerations.ts';
import type {Instant} from '../../src/core/time/instant.ts';

const silentAfter = 20_000;

/**
 * The formula in many blogs: a pod is evicted at its taint's timeAdded plus its tolerationSeconds, or, before the taint, at its
 * node's last renewal plus the grace period plus its tolerationSeconds. Kept for comparison.
 */
export function blogFormula(
	snapshot: ClusterSnapshot,
	settings: ControllerSettings,
): ReadonlyMap<string, Instant> {
	const renewals = new Map(snapshot.leases?.map(({name, renewTime}) => [name, renewTime]));
	const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]));
	const times = new Map<string, Instant>();
	for (const pod of snapshot.pods) {
		const node = nodes.get(pod.nodeName);
		if (!node || pod.deletionTimestamp !== undefined) continue;
		const renewed = renewals.get(node.name);
		const isLost =
			nodeCondition(node, 'Ready')?.status !== 'True' ||
			(renewed !== undefined && snapshot.observedAt - renewed > silentAfter);
		const coming: Taint[] = isLost ? [{key: taintUnreachable, value: '', effect: 'NoExecute'}] : [];
		const taints = noExecuteTaints(node);
		const used = matchingTolerations(taints.length > 0 ? taints : coming, pod.tolerations, false);
		const tolerated = used ? (taints.length + coming.length > 0 ? minTolerationTime(used) : undefined) : 0;
		if (tolerated === undefined) continue;
		const added = taints.length > 0 ? taints[0]?.timeAdded : (renewed ?? 0) + settings.nodeMonitorGracePeriod;
		if (added !== undefined) times.set(podKey(pod), added + tolerated);
	}
	return times;
}
