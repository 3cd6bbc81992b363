import type {Pod} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import {shellWord} from '../../text/pasted.ts';

/** The kubectl command of a remedy; empty if there is none. */
export function rescueCommand({kind, change}: Remedy, pod: Pod): string {
	const {nodeName} = pod;
	switch (kind) {
		case 'NodeBack':
			return restartOf(nodeName);
		case 'Tolerate':
			return tolerateCommand(pod, change.type === 'tolerations' ? change.tolerations : pod.tolerations);
		case 'Untaint':
			return change.type === 'untaint'
				? `kubectl taint node ${shellWord(nodeName)} ${shellWord(`${change.key}:NoExecute-`)}`
				: '';
		case 'StopControllers':
			return '(on the control plane) move kube-controller-manager.yaml out of /etc/kubernetes/manifests; move it back once the node is back';
	}
}

export const restartOf = (node: string) => `(on node ${node}) systemctl restart kubelet`;

/** The command that tells how a pod is saved. */
export const rescueOf = ({name, namespace}: Pick<PodForecast, 'name' | 'namespace'>) =>
	`kubectl evictwatch rescue ${shellWord(name)} -n ${shellWord(namespace)}`;

/** The command that tells what a node has left. */
export const pressureOf = (node: string) => `kubectl evictwatch pressure ${shellWord(node)}`;

/** The API server accepts only additional tolerations and other seconds in existing ones. */
export function tolerateCommand({namespace, name}: Pod, tolerations: Pod['tolerations']): string {
	// `add` replaces a list that is there, and makes one where the pod has none.
	const value = tolerations.map((one) =>
		Object.fromEntries(Object.entries(one).filter(([, field]) => field !== '')),
	);
	const patch = JSON.stringify([{op: 'add', path: '/spec/tolerations', value}]);
	return `kubectl patch pod ${shellWord(name)} -n ${shellWord(namespace)} --type=json -p ${shellWord(patch)}`;
}

/** Owners that start another pod as soon as one is evicted. */
const replacing: readonly string[] = ['ReplicaSet', 'ReplicationController', 'Job'];

/** What it costs that a pod tolerates the taint of its node forever. */
export function costOfTolerating(forecast: PodForecast): string {
	const isReplaced = replacing.includes(forecast.owner?.kind ?? '');
	const waits = 'it then waits, not ready, until its node is back';
	return isReplaced ? `${waits}, and its ${workloadOf(forecast).kind} starts no other pod instead` : waits;
}
