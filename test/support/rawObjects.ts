import type {RawObject} from './fakeApiServer.ts';

const creationTimestamp = '2026-01-01T00:00:00Z';

/** API objects as they stand on the wire, as small as a test may have them. */
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

export const rawLease = (
	namespace: string,
	name: string,
	renewTime = '2026-01-01T00:00:01.000000Z',
): RawObject => ({
	metadata: {namespace, name, creationTimestamp},
	spec: {holderIdentity: name, leaseDurationSeconds: 40, renewTime},
});
