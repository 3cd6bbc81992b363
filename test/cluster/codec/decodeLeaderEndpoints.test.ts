import {expect, test} from 'vitest';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';

const annotation = 'control-plane.alpha.kubernetes.io/leader';
const record = {
	holderIdentity: 'cp1_1234',
	leaseDurationSeconds: 15,
	acquireTime: '2026-01-31T14:00:00Z',
	renewTime: '2026-01-31T14:07:31Z',
	leaderTransitions: 2,
};

const endpoints = (text: string, name = 'kube-controller-manager') => ({
	apiVersion: 'v1',
	kind: 'Endpoints',
	metadata: {name, namespace: 'kube-system', annotations: {[annotation]: text}},
});

test('the leader of v1.16 is read from the annotation of its Endpoints', () => {
	const decoder = new Decoder();
	expect(decoder.leaderEndpoints.decode(endpoints(JSON.stringify(record)))).toEqual({
		namespace: 'kube-system',
		name: 'kube-controller-manager',
		holderIdentity: 'cp1_1234',
		leaseDuration: 15_000,
		acquireTime: Date.parse(record.acquireTime),
		renewTime: Date.parse(record.renewTime),
		leaseTransitions: 2,
		writes: [],
	});
	expect(decoder.problem).toBeUndefined();
});

test('other Endpoints, and those without a record, are passed over', () => {
	const decoder = new Decoder();
	expect(decoder.leaderEndpoints.decode(endpoints(JSON.stringify(record), 'kubernetes'))).toBeUndefined();
	expect(decoder.leaderEndpoints.decode(endpoints(''))).toBeUndefined();
	expect(decoder.leaderEndpoints.decode(null)).toBeUndefined();
	expect(decoder.problem).toBeUndefined();
});

test.for(['{', 'null', '[]', '"text"', '{"holderIdentity":7,"acquireTime":"never"}'])(
	'a record that is no record is none, and never an exception: %s',
	(text) => {
		const decoder = new Decoder();
		expect(decoder.leaderEndpoints.decode(endpoints(text))?.holderIdentity).toBeUndefined();
	},
);

test('a record that is cut off is said', () => {
	const decoder = new Decoder();
	decoder.leaderEndpoints.decode(endpoints('{"holder'));
	expect(decoder.problem?.message).toContain('Endpoints with an unreadable election record');
});
