import type {RawObject} from './fakeApiServer.ts';

const creationTimestamp = '2026-01-01T00:00:00Z';

/** Minimal API objects in their JSON form. */
export const rawNode = (name: string, fields: object = {}): RawObject => ({
	metadata: {name, uid: `uid-${name}`, creationTimestamp},
	spec: {},
	status: {conditions: []},
	...fields,
});

export const rawPod = (namespace: string, name: string, nodeName: string): RawObject => ({
	metadata: {namespace, name, uid: `uid-${name}`, creationTimestamp},
	spec: {nodeName},
	status: {phase: 'Running'},
});

/** An event of a controller about a node. */
export const rawEvent = (node: string, reason: string, component = 'node-controller'): RawObject => ({
	metadata: {namespace: 'default', name: `${node}.${reason.toLowerCase()}`, creationTimestamp},
	involvedObject: {kind: 'Node', name: node},
	reason,
	message: '',
	source: {component},
	reportingComponent: component,
	firstTimestamp: creationTimestamp,
	lastTimestamp: creationTimestamp,
	count: 1,
});

/** An event of the taint-eviction controller about a pod. */
export const rawEviction = (namespace: string, pod: string): RawObject => ({
	...rawEvent(pod, 'TaintManagerEviction', 'taint-eviction-controller'),
	metadata: {namespace, name: `${pod}.eviction`, creationTimestamp},
	involvedObject: {kind: 'Pod', namespace, name: pod},
	message: `Marking for deletion Pod ${namespace}/${pod}`,
});

export const rawLease = (
	namespace: string,
	name: string,
	renewTime = '2026-01-01T00:00:01.000000Z',
): RawObject => ({
	metadata: {namespace, name, creationTimestamp},
	spec: {holderIdentity: name, leaseDurationSeconds: 40, renewTime},
});
