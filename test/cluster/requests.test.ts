import {expect, test} from 'vitest';
import {fieldsOf} from '../../src/cluster/codec/rawJson.ts';
import {decodePlacedPod} from '../../src/cluster/workloads/readOccupancy.ts';
import {decodeRequests, keepsAway, otherRulesOf} from '../../src/cluster/workloads/schedulingRules.ts';
import {occupancyOf} from '../../src/core/model/workloads/occupancy.ts';

const asking = (cpu: string, memory = '0', fields: object = {}) => ({
	...fields,
	resources: {requests: {cpu, memory}},
});
const sidecar = {restartPolicy: 'Always'};

test.for<{name: string; spec: object; cpu: number; memory?: number}>([
	{name: 'containers run side by side', spec: {containers: [asking('1'), asking('250m')]}, cpu: 1250},
	{
		name: 'an init container counts where it takes more than all of those',
		spec: {containers: [asking('1', '1Gi')], initContainers: [asking('2', '1Mi')]},
		cpu: 2000,
		memory: 2 ** 30,
	},
	{
		name: 'a sidecar runs beside the containers',
		spec: {containers: [asking('1')], initContainers: [asking('500m', '0', sidecar)]},
		cpu: 1500,
	},
	{
		name: 'and beside the init containers after it',
		spec: {containers: [asking('1')], initContainers: [asking('500m', '0', sidecar), asking('2')]},
		cpu: 2500,
	},
	{
		name: 'what the pod asks for itself goes before its containers',
		spec: {containers: [asking('1')], ...asking('3')},
		cpu: 3000,
	},
	{name: 'overhead comes on top', spec: {containers: [asking('1')], overhead: {cpu: '100m'}}, cpu: 1100},
	{name: 'nothing asked for is nothing', spec: {containers: [{}]}, cpu: 0},
])('$name', ({spec, cpu, memory = 0}) => {
	expect(decodeRequests(spec)).toEqual({cpu, memory});
});

const required = {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: 'zone'}]};
const preferred = {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]};

test.for<{spec: object; rules: readonly string[]}>([
	{spec: {}, rules: []},
	{spec: {affinity: {podAffinity: preferred, podAntiAffinity: preferred}}, rules: []},
	{spec: {affinity: {podAffinity: required}}, rules: ['its pod affinity']},
	{spec: {affinity: {podAntiAffinity: required}}, rules: ['its pod anti-affinity']},
	{spec: {topologySpreadConstraints: [{whenUnsatisfiable: 'ScheduleAnyway'}]}, rules: []},
	{
		spec: {topologySpreadConstraints: [{whenUnsatisfiable: 'DoNotSchedule'}]},
		rules: ['its spread constraints'],
	},
	{spec: {schedulerName: 'default-scheduler'}, rules: []},
	{spec: {schedulerName: 'volcano'}, rules: ['its scheduler volcano']},
	{spec: {containers: [{ports: [{hostPort: 80}]}]}, rules: ['its host ports']},
	{spec: {containers: [{ports: [{containerPort: 80}]}]}, rules: []},
	{
		spec: {containers: [{resources: {requests: {'nvidia.com/gpu': '1'}}}]},
		rules: ['other resources than CPU and memory'],
	},
	{spec: {resourceClaims: [{name: 'gpu'}]}, rules: ['its resource claims']},
	{spec: {schedulingGates: [{name: 'quota'}]}, rules: ['its scheduling gates']},
])('rules of $spec', ({spec, rules}) => {
	expect(otherRulesOf(spec)).toEqual(rules);
});

test('what runs on nodes is added up; what has ended takes nothing, and what waits stands apart', () => {
	const ownerReferences = [{uid: 'rs', controller: true}];
	const pod = (nodeName: string | undefined, cpu: string, fields: object = {}, phase = 'Running') =>
		decodePlacedPod({
			metadata: {ownerReferences},
			spec: {nodeName, containers: [asking(cpu)], ...fields},
			status: {phase},
		});
	const pods = [
		pod('n1', '1', {priority: 7}),
		pod('n1', '2', {affinity: {podAntiAffinity: required}, priority: -1}),
		pod('n2', '4', {}, 'Succeeded'),
		pod(undefined, '500m', {}, 'Pending'),
	].flatMap((one) => one ?? []);
	const {nodes, waiting, perPod} = occupancyOf(pods);
	expect([...nodes]).toEqual([
		['n1', {cpu: 3000, memory: 0, pods: 2, lowestPriority: -1, keepsOthersAway: true}],
	]);
	expect(waiting).toEqual({cpu: 500, memory: 0, pods: 1});
	expect(perPod.get('rs')).toEqual({cpu: 2000, memory: 0});
	expect(keepsAway(fieldsOf({affinity: {podAntiAffinity: preferred}}))).toBe(false);
});
