import {expect, test} from 'vitest';
import {protectionOf} from '../../../src/core/nodepressure/criticalPod.ts';
import type {InitContainer} from '../../../src/core/nodepressure/nodePod.ts';
import {podLimit, podRequest} from '../../../src/core/nodepressure/podResources.ts';
import {formatQuantity} from '../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {admitPod} from '../../support/kubeletAdmission.ts';
import {qosClassOf} from '../../support/kubeletQosClass.ts';
import {amounts, aNodePod} from '../../support/pressure.ts';

const memoryOf = (pod: ReturnType<typeof aNodePod>) => formatQuantity(podRequest(pod, 'memory'));
const init = (memory: string, isSidecar: boolean): InitContainer => ({
	name: `init-${memory}`,
	requests: amounts({memory}),
	limits: {},
	isSidecar,
});

test('an init container counts with the sidecars that were started before it', () => {
	const request = {requests: {memory: '100Mi'}};
	const pod = (...initContainers: readonly InitContainer[]) => aNodePod('p', request, {initContainers});
	expect(memoryOf(pod(init('1Gi', false)))).toBe('1Gi');
	expect(memoryOf(pod(init('50Mi', false)))).toBe('100Mi');
	expect(memoryOf(pod(init('50Mi', true), init('75Mi', false)))).toBe('150Mi');
	expect(memoryOf(pod(init('50Mi', true), init('200Mi', false)))).toBe('250Mi');
	expect(memoryOf(pod(init('200Mi', false), init('50Mi', true)))).toBe('200Mi');
});

test('a pod with resources of its own requests no ephemeral storage, whatever its containers ask for', () => {
	const app = {requests: {memory: '1Gi', 'ephemeral-storage': '5Gi'}};
	const own = {requests: amounts({cpu: '1'}), limits: {}};
	expect(formatQuantity(podRequest(aNodePod('p', app), 'ephemeral-storage'))).toBe('5Gi');
	const pod = aNodePod('p', app, {resources: own});
	expect([memoryOf(pod), formatQuantity(podRequest(pod, 'ephemeral-storage'))]).toEqual(['0', '0']);
});

test('overhead counts only where something is requested', () => {
	const overhead = amounts({memory: '10Mi'});
	expect(memoryOf(aNodePod('p', {requests: {memory: '1Mi'}}, {overhead}))).toBe('11Mi');
	expect(memoryOf(aNodePod('p', {}, {overhead}))).toBe('0');
});

test('containers without a limit count with zero: one limit of a container limits the whole pod', () => {
	const one = aNodePod('p', {limits: {'ephemeral-storage': '1Gi'}});
	const [limited] = one.containers;
	const free = {name: 'free', requests: {}, limits: {}};
	const pod = {...one, containers: limited ? [limited, free] : []};
	expect(formatQuantity(podLimit(pod, 'ephemeral-storage') ?? podRequest(pod, 'x'))).toBe('1Gi');
	expect(podLimit({...pod, containers: [free]}, 'ephemeral-storage')).toBeUndefined();
});

test('a priority class by its name alone protects nobody: the priority counts', () => {
	expect(protectionOf(aNodePod('p', {}, {priority: 1_999_999_999}))).toBeUndefined();
	expect(protectionOf(aNodePod('p', {}, {priority: 2_000_000_000}))).toBe('priority');
	expect(protectionOf(aNodePod('p', {}, {configSource: 'api'}))).toBeUndefined();
	expect(protectionOf(aNodePod('p', {}, {configSource: 'file'}))).toBe('static');
	expect(protectionOf(aNodePod('p', {}, {configSource: 'api', isMirror: true}))).toBe('mirror');
});

test("resources of the pod's own hide those of its containers", () => {
	const full = {cpu: '1', memory: '1Gi'};
	const guaranteed = {requests: full, limits: full};
	const own = (requests: object, limits: object) => ({
		requests: amounts({...requests}),
		limits: amounts({...limits}),
	});
	expect(qosClassOf(aNodePod('p', guaranteed))).toBe('Guaranteed');
	expect(qosClassOf(aNodePod('p', guaranteed, {resources: own({}, {})}))).toBe('BestEffort');
	expect(qosClassOf(aNodePod('p', {}, {resources: own(full, full)}))).toBe('Guaranteed');
	expect(qosClassOf(aNodePod('p', {}, {resources: own(full, {})}))).toBe('Burstable');
	expect(qosClassOf(aNodePod('p', {requests: {'ephemeral-storage': '1Gi'}}))).toBe('BestEffort');
	expect(qosClassOf(aNodePod('p', guaranteed, {qosClass: 'Burstable'}))).toBe('Burstable');
});

const bestEffort = aNodePod('p');
const tolerant = {
	key: 'node.kubernetes.io/memory-pressure',
	operator: 'Exists',
	value: '',
	effect: 'NoSchedule',
};

test('under memory pressure alone only pods of the class BestEffort are refused, and of these not all', () => {
	expect(admitPod(bestEffort, ['MemoryPressure'])).toEqual({
		isAdmitted: false,
		message: 'The node had condition: [MemoryPressure]. ',
	});
	expect(admitPod(aNodePod('p', {requests: {cpu: '1m'}}), ['MemoryPressure']).isAdmitted).toBe(true);
	expect(admitPod({...bestEffort, tolerations: [tolerant]}, ['MemoryPressure']).isAdmitted).toBe(true);
	expect(admitPod(bestEffort, []).isAdmitted).toBe(true);
});

test('other conditions refuse every pod that is not critical, whatever it tolerates', () => {
	const everything = {...tolerant, key: '', effect: ''};
	const pod = aNodePod('p', {requests: {cpu: '1'}}, {tolerations: [everything]});
	expect(admitPod(pod, ['DiskPressure']).isAdmitted).toBe(false);
	expect(admitPod(pod, ['MemoryPressure', 'PIDPressure'])).toEqual({
		isAdmitted: false,
		message: 'The node had condition: [MemoryPressure PIDPressure]. ',
	});
	expect(admitPod({...pod, priority: 2_000_000_000}, ['DiskPressure']).isAdmitted).toBe(true);
});
