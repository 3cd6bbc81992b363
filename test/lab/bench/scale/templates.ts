import {microTime, time} from '../../../e2e/objects.ts';

// Objects with realistic sizes: 4 KB a pod, 10 KB a node. One of each is created through the API server, which adds defaults
// and managedFields; the others are copies.

export const templateNode = 'node-00000';
export const templateZone = 'zone-x';

const minutesAgo = (minutes: number) => time(Date.now() - minutes * 60_000);

/** A node; a dead one is as a controller manager leaves it. */
export function node(isDead: boolean) {
	const condition = (type: string, well: string, reason: string) => ({
		type,
		status: isDead ? 'Unknown' : well,
		reason: isDead ? 'NodeStatusUnknown' : reason,
		message: isDead ? 'Kubelet stopped posting node status.' : `kubelet says: ${reason}`,
		lastHeartbeatTime: minutesAgo(isDead ? 9 : 1),
		lastTransitionTime: minutesAgo(isDead ? 4 : 600),
	});
	const unreachable = {key: 'node.kubernetes.io/unreachable', timeAdded: minutesAgo(4)};
	const images = Array.from({length: 30}, (_, index) => ({
		names: [
			`registry.example.com/team-${index}/service-${index}@sha256:${'0123456789abcdef'.repeat(4)}`,
			`registry.example.com/team-${index}/service-${index}:1.${index}.0`,
		],
		sizeBytes: 50_000_000 + index * 1_000_003,
	}));
	return {
		metadata: {
			name: templateNode,
			labels: {
				'kubernetes.io/hostname': templateNode,
				'kubernetes.io/os': 'linux',
				'kubernetes.io/arch': 'amd64',
				'node.kubernetes.io/instance-type': 'm7i.8xlarge',
				'topology.kubernetes.io/region': 'eu-west-1',
				'topology.kubernetes.io/zone': templateZone,
			},
		},
		spec: {
			providerID: `kind://${templateNode}`,
			...(isDead && {taints: [{...unreachable, effect: 'NoSchedule'}]}),
		},
		status: {
			capacity: {cpu: '32', memory: '128Gi', pods: '250', 'ephemeral-storage': '200Gi'},
			allocatable: {cpu: '31', memory: '120Gi', pods: '250', 'ephemeral-storage': '180Gi'},
			addresses: [
				{type: 'InternalIP', address: '10.1.2.3'},
				{type: 'Hostname', address: templateNode},
			],
			conditions: [
				condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
				condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
				condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
				condition('Ready', 'True', 'KubeletReady'),
			],
			images,
		},
	};
}

/** The kubelet's lease. The fraction of its time takes as many bytes as that of each copy. */
export function lease(now: number) {
	return {
		metadata: {name: templateNode, namespace: 'kube-node-lease'},
		spec: {holderIdentity: templateNode, leaseDurationSeconds: 40, renewTime: microTime(now)},
	};
}

const kinds = ['web', 'api', 'worker', 'cache', 'agent'] as const;

/** A pod of the template node; each kind has its own tolerations. */
export function pod(index: number) {
	const kind = kinds[index % kinds.length] ?? 'web';
	const name = `${kind}-${index}-${templateNode}`;
	const probe = {httpGet: {path: '/healthz', port: 8080}, periodSeconds: 10};
	const tolerate = (seconds?: number) =>
		['not-ready', 'unreachable'].map((key) => ({
			key: `node.kubernetes.io/${key}`,
			operator: 'Exists',
			effect: 'NoExecute',
			...(seconds !== undefined && {tolerationSeconds: seconds}),
		}));
	const tolerations = {
		web: undefined,
		api: tolerate(30),
		worker: undefined,
		cache: tolerate(600),
		agent: tolerate(),
	};
	return {
		metadata: {
			name,
			namespace: namespaceOf(index),
			labels: {
				'app.kubernetes.io/name': kind,
				'app.kubernetes.io/instance': `${kind}-${index}`,
				'app.kubernetes.io/version': '1.2.3',
				'pod-template-hash': '5d4f8c7b9d',
			},
			annotations: {'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080'},
			ownerReferences: [
				{
					apiVersion: 'apps/v1',
					kind: 'ReplicaSet',
					name: `${kind}-${index}-5d4f8c7b9d`,
					uid: `3c9f1a52-7a0e-4f1b-9d35-${String(index).padStart(12, '0')}`,
					controller: true,
					blockOwnerDeletion: true,
				},
			],
		},
		spec: {
			nodeName: templateNode,
			...(tolerations[kind] && {tolerations: tolerations[kind]}),
			containers: ['main'].map((container) => ({
				name: container,
				image: `registry.example.com/team/${kind}-${container}:1.2.3`,
				args: ['--listen=:8080', `--name=${kind}`, '--log-level=info'],
				ports: [{name: 'http', containerPort: 8080}],
				env: [
					{name: 'POD_IP', valueFrom: {fieldRef: {fieldPath: 'status.podIP'}}},
					{name: 'REGION', value: 'eu-west-1'},
				],
				resources: {requests: {cpu: '100m', memory: '128Mi'}, limits: {cpu: '200m', memory: '256Mi'}},
				livenessProbe: probe,
				readinessProbe: probe,
			})),
		},
	};
}

export const namespaceOf = (index: number) => `app-${index % 10}`;

/** The kubelet's status of that pod on a healthy node. */
export function podStatus({spec}: ReturnType<typeof pod>) {
	const startedAt = minutesAgo(300);
	return {
		status: {
			phase: 'Running',
			conditions: [
				'PodReadyToStartContainers',
				'Initialized',
				'Ready',
				'ContainersReady',
				'PodScheduled',
			].map((type) => ({type, status: 'True', lastTransitionTime: startedAt})),
			containerStatuses: spec.containers.map(({name, image}) => ({
				name,
				image,
				imageID: `${image}@sha256:${'fedcba9876543210'.repeat(4)}`,
				containerID: `containerd://${'0f1e2d3c4b5a6978'.repeat(4)}`,
				ready: true,
				started: true,
				restartCount: 0,
				state: {running: {startedAt}},
			})),
			hostIP: '10.1.2.3',
			podIP: '10.128.1.2',
			startTime: startedAt,
			qosClass: 'Burstable',
		},
	};
}
