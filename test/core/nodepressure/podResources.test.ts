import {expect, test} from 'vitest';
import {protectionOf} from '../../../src/core/nodepressure/criticalPod.ts';
import {podLimit, podRequest} from '../../../src/core/nodepressure/podResources.ts';
import {formatQuantity} from '../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {amounts, aNodePod} from '../../support/pressure.ts';

const memoryOf = (pod: ReturnType<typeof aNodePod>) => formatQuantity(podRequest(pod, 'memory'));

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
