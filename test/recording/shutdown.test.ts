import {expect, test} from 'vitest';
import {decodeNode} from '../../src/cluster/codec/decodeNode.ts';
import {decodePod, PodParts} from '../../src/cluster/codec/decodePod.ts';
import {encodeNode, encodePod} from '../../src/cluster/codec/encodeObject.ts';
import {shutdownCondition} from '../../src/core/nodeshutdown/nodeShutdown.ts';

const ignore = () => {};

/** A node in the API server, with a message from its kubelet. */
const nodeWith = (message: string) => ({
	metadata: {name: 'n1', uid: 'u1', creationTimestamp: '2026-01-31T12:00:00Z'},
	status: {
		conditions: [
			{
				...{type: 'Ready', status: 'False', reason: 'KubeletNotReady', message},
				...{lastTransitionTime: '2026-01-31T14:00:00Z', lastHeartbeatTime: '2026-01-31T14:00:00Z'},
			},
		],
	},
});

test.for(['node is shutting down', '[container runtime is down, node is shutting down]'])(
	'the announcement "%s" is read, and read again from a recording',
	(message) => {
		const node = decodeNode(nodeWith(message), ignore);
		expect(node && shutdownCondition(node)).toMatchObject({message: 'node is shutting down'});
		expect(node && decodeNode(encodeNode(node), ignore)).toEqual(node);
	},
);

test('no other message of a condition is kept', () => {
	expect(decodeNode(nodeWith('something else'), ignore)?.conditions[0]?.message).toBeUndefined();
});

test.for(['Terminated', 'Shutdown'])(
	'a pod that a shutdown ended (%s) is read so, and read again from a recording',
	(reason) => {
		const pod = decodePod(
			{
				metadata: {name: 'cart', namespace: 'shop', uid: 'u2', creationTimestamp: '2026-01-31T12:00:00Z'},
				spec: {nodeName: 'n1'},
				status: {
					...{phase: 'Failed', reason},
					message: 'Pod was terminated in response to imminent node shutdown.',
					conditions: [{type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet'}],
				},
			},
			new PodParts(),
			ignore,
		);
		expect(pod).toMatchObject({isShutDown: true, disruptedBy: 'TerminationByKubelet'});
		expect(pod && decodePod(encodePod(pod), new PodParts(), ignore)).toEqual(pod);
	},
);

test.for([
	{phase: 'Succeeded', isShutDown: true},
	{phase: 'Running', isShutDown: undefined},
])(
	'a $phase pod with the condition of a shutdown alone was ended by it: $isShutDown',
	({phase, isShutDown}) => {
		const message = 'Pod was terminated in response to imminent node shutdown.';
		const condition = {type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message};
		const pod = decodePod(
			{metadata: {name: 'cart', namespace: 'shop'}, status: {phase, conditions: [condition]}},
			new PodParts(),
			ignore,
		);
		expect(pod?.isShutDown).toBe(isShutDown);
		expect(pod && decodePod(encodePod(pod), new PodParts(), ignore)).toEqual(pod);
	},
);

test('a pod that was told to be lost with its node is read so, and read again from a recording', () => {
	const pod = decodePod(
		{
			metadata: {name: 'cart', namespace: 'shop', uid: 'u2', creationTimestamp: '2026-01-31T12:00:00Z'},
			spec: {nodeName: 'n1'},
			status: {phase: 'Running', reason: 'NodeLost'},
		},
		new PodParts(),
		ignore,
	);
	expect(pod).toMatchObject({isNodeLost: true});
	expect(pod && decodePod(encodePod(pod), new PodParts(), ignore)).toEqual(pod);
});
