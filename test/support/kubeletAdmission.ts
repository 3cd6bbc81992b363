import {type Taint, taintMemoryPressure} from '../../src/core/model/taint.ts';
import {toleratesTaint} from '../../src/core/model/toleration.ts';
import {protectionOf} from '../../src/core/nodepressure/criticalPod.ts';
import type {NodePod} from '../../src/core/nodepressure/nodePod.ts';
import type {PressureCondition} from '../../src/core/nodepressure/thresholds/signal.ts';
import {qosClassOf} from './kubeletQosClass.ts';

/** Whether a kubelet admits a pod; if not, its message. The reason is always Evicted. */
type Admission = {readonly isAdmitted: true} | {readonly isAdmitted: false; readonly message: string};

const memoryPressure: Taint = {key: taintMemoryPressure, value: '', effect: 'NoSchedule'};

/**
 * Decides about a pod that is bound to a node with these pressure conditions. Upstream lists them in random order.
 *
 * @quirk under memory pressure alone only pods of the class BestEffort are refused, and of these not all
 * @quirk other conditions refuse every pod that is not critical, whatever it tolerates
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go Admit
 */
export function admitPod(pod: NodePod, conditions: readonly PressureCondition[]): Admission {
	if (conditions.length === 0 || protectionOf(pod) !== undefined) return {isAdmitted: true};
	if (conditions.length === 1 && conditions[0] === 'MemoryPressure') {
		const tolerates = pod.tolerations.some((toleration) => toleratesTaint(toleration, memoryPressure, false));
		if (tolerates || qosClassOf(pod) !== 'BestEffort') return {isAdmitted: true};
	}
	return {isAdmitted: false, message: `The node had condition: [${conditions.join(' ')}]. `};
}
