import {expect, test} from 'vitest';
import type {ResourceClaim, ResourceSlice} from '../../src/core/model/device.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import {aTaint, tolerates} from '../support/builders.ts';
import type {DeviceScript} from '../support/deviceWorld.ts';
import {runShadow, type ShadowRunOptions} from '../support/shadowRun.ts';
import {aScenario, aScenarioPod} from '../support/shadowScenario.ts';

const gpu = {driver: 'gpu.example.com', pool: 'a0', device: 'gpu-0'};
const wordsOf = ({kind, action, object, reason, isAlarm}: Divergence): string =>
	`${isAlarm ? 'alarm' : 'note'} ${kind} ${action} ${object.name} ${reason}`;

/** A slice with a node's only device; its taint was added at an instant, in seconds. */
const aSlice = (taintedAt?: Instant): ResourceSlice => ({
	...{kind: 'ResourceSlice', name: 'a0-gpus', driver: gpu.driver, pool: gpu.pool, generation: 1},
	nodeName: 'a0',
	devices: [
		{
			name: gpu.device,
			taints: taintedAt === undefined ? [] : [aTaint('broken', {timeAdded: taintedAt * second})],
		},
	],
});

/** A claim that tolerates a broken device for 30 seconds. */
const aClaim = (pod: string, fields: Partial<ResourceClaim> = {}): ResourceClaim => ({
	...{kind: 'ResourceClaim', namespace: 'default', name: pod, uid: `uid-of-claim-${pod}`},
	allocated: [{...gpu, tolerations: [tolerates('broken', 30)]}],
	reservedFor: [{name: pod, uid: `uid-default-${pod}`}],
	...fields,
});

type Script = DeviceScript['objects'];
const use: Script = [
	{at: 1, object: aSlice()},
	{at: 1, object: aClaim('web')},
	{at: 1, object: aClaim('shop')},
];
const breaks: Script = [...use, {at: 20, object: aSlice(20)}];
const pods = [aScenarioPod('web', 'a0'), aScenarioPod('shop', 'a0')];

const run = (devices: DeviceScript, {steps = [], ...options}: RunOptions = {}) =>
	runShadow(aScenario(steps, {pods, until: 120}), {devices, mayAsk: true, ...options});
type RunOptions = ShadowRunOptions & {readonly steps?: Parameters<typeof aScenario>[0]};

test('the pods of a device that breaks go as foretold', () => {
	const {divergences, matches, view} = run({objects: breaks});
	expect(divergences).toEqual([]);
	expect(matches.map(({action, isInside}) => `${action} ${isInside}`)).toEqual([
		'DeletePodForDevice true',
		'DeletePodForDevice true',
	]);
	expect(view?.divergenceCounts).toEqual({Late: 0, Early: 0, Missing: 0, Unexpected: 0});
});

test('a controller that does not act on devices is missed', () => {
	const {divergences} = run({objects: breaks, controller: 'away'});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Missing DeletePodForDevice web Unexplained',
		'alarm Missing DeletePodForDevice shop Unexplained',
	]);
	expect(divergences[0]).toMatchObject({zone: '<none>/a', expected: {earliest: 50 * second}});
});

test('a deletion for a device that is denied is told', () => {
	const {divergences} = run({objects: breaks, controller: 'denied'});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Missing DeletePodForDevice web DeletionDenied',
		'alarm Missing DeletePodForDevice shop DeletionDenied',
	]);
	expect(divergences[0]?.because).toEqual([
		expect.stringContaining('The controller marked the pod as its target'),
		'The controller for tainted devices tries again, after pauses that double.',
	]);
});

test('a controller that waits for less than claims tolerate is early', () => {
	const {divergences} = run({objects: breaks, controller: 'hasty'});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Early DeletePodForDevice web Unexplained',
		'alarm Early DeletePodForDevice shop Unexplained',
	]);
});

test('while nobody runs the controllers, that is why', () => {
	const steps = [{at: 30, do: 'stop-controllers'}] as const;
	const {divergences} = run({objects: breaks, controller: 'away'}, {steps});
	expect(divergences.map(wordsOf)).toEqual([
		'alarm Missing DeletePodForDevice web ControllerDown',
		'alarm Missing DeletePodForDevice shop ControllerDown',
	]);
});

const marked = (simulation: Simulation, deviceEvictedAt: Instant) => {
	const pod = simulation.state.pod('default/web');
	const at = {isDisruptionTarget: true, deviceEvictedAt, deletionTimestamp: deviceEvictedAt + 30 * second};
	if (pod) simulation.observe({type: 'podApplied', pod: {...pod, ...at}});
};

test('what no tainted device explains is taken for the deed of somebody else', () => {
	const interventions = [{at: 40, do: (simulation: Simulation) => marked(simulation, 40 * second)}];
	const {divergences, matches, view} = run({objects: use}, {interventions});
	expect([...divergences, ...matches]).toEqual([]);
	expect(view?.divergenceCounts.Unexpected).toBe(0);
});

test('whoever deletes such a pod without a mark is not judged', () => {
	const remove = (simulation: Simulation) =>
		simulation.observe({type: 'podDeleted', namespace: 'default', name: 'web'});
	const {divergences, matches} = run({objects: breaks}, {interventions: [{at: 40, do: remove}]});
	expect(divergences).toEqual([]);
	expect(matches).toHaveLength(1);
});

test('a second taint that no claim tolerates makes nothing early', () => {
	const taints = [aTaint('broken', {timeAdded: 20 * second}), aTaint('on-fire', {timeAdded: 40 * second})];
	const worse = {...aSlice(), devices: [{name: gpu.device, taints}]};
	// Between two forecasts.
	const {divergences} = run({objects: [...breaks, {at: 40.05, object: worse}]});
	expect(divergences).toEqual([]);
});

test('a claim that is given another device keeps its pod, and no other', () => {
	const other = aClaim('web', {allocated: [{...gpu, device: 'gpu-1', tolerations: []}]});
	const {divergences} = run({objects: [...breaks, {at: 49.8, object: other}], controller: 'away'});
	expect(divergences.map(wordsOf)).toEqual(['alarm Missing DeletePodForDevice shop Unexplained']);
});

test.for([
	{downAt: 30, want: 'alarm Missing DeletePodForDevice web Unexplained'},
	{downAt: 46, want: 'note Missing DeletePodForDevice web ControllerRestarted'},
])('a restart at $downAt s puts no countdown off', ({downAt, want}) => {
	const steps = [
		{at: downAt, do: 'stop-controllers'},
		{at: downAt + 2, do: 'start-controllers'},
	] as const;
	const {divergences} = run({objects: breaks, controller: 'away'}, {steps});
	expect(divergences.map(wordsOf)[0]).toBe(want);
});
