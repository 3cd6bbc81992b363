import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {DeviceObject, ResourceClaim, ResourceSlice} from '../../src/core/model/device.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {defaultSettings, settingsFor} from '../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {FirstLook} from '../../src/forecast/firstLook.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import {rescuesInSteps} from '../../src/forecast/whatif/rescues.ts';
import {formatRescue} from '../../src/print/whatif/rescue.ts';
import {podChooser} from '../../src/session/podChooser.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../support/builders.ts';

const at = (seconds: number): Instant => seconds * second;
const gpu = {driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0'};

const aSlice = (fields: Partial<ResourceSlice> = {}): ResourceSlice => ({
	kind: 'ResourceSlice',
	name: 'n1-gpus',
	driver: gpu.driver,
	pool: gpu.pool,
	generation: 1,
	nodeName: 'n1',
	devices: [{name: gpu.device, taints: [aTaint('broken', {timeAdded: at(-10)})]}],
	...fields,
});

const longTainted = aSlice({
	devices: [{name: gpu.device, taints: [aTaint('broken', {timeAdded: at(-100)})]}],
});

const aClaim = (fields: Partial<ResourceClaim> = {}): ResourceClaim => ({
	kind: 'ResourceClaim',
	namespace: 'shop',
	name: 'gpu',
	uid: 'uid-of-gpu',
	allocated: [{...gpu, tolerations: [tolerates('broken', 30)]}],
	reservedFor: [{name: 'trainer', uid: 'uid-of-trainer'}],
	...fields,
});

const trainer = (fields: Partial<Pod> = {}) =>
	aPod('trainer', {claims: [{name: 'gpu', isGenerated: false}], ...fields});

function forecasterOf(
	objects: readonly DeviceObject[],
	pods: readonly Pod[] = [trainer()],
	settings = defaultSettings,
	acquireTime?: Instant,
) {
	const forecaster = aForecaster(settings, {
		observedAt: 0,
		nodes: [aNode('n1')],
		leases: [aLease('n1', 0), ...(acquireTime === undefined ? [] : [aLeader(0, acquireTime)])],
		pods,
		deviceObjects: objects,
	});
	return forecaster;
}

const forecastOf = (...of: Parameters<typeof forecasterOf>) => forecasterOf(...of).forecast(0).pods[0];

test('a pod goes when its claim tolerates the taint of its device no longer', () => {
	const pod = forecastOf([aSlice(), aClaim()]);
	expect(pod).toMatchObject({
		verdict: 'Scheduled',
		cause: {kind: 'DeviceTaint', taint: 'broken:NoExecute', tolerationSeconds: 30, ...gpu},
	});
	expect(pod?.eviction?.earliest).toBe(at(20));
	expect(pod?.eviction?.latest).toBeLessThan(at(21));
	expect(pod?.because).toEqual([
		'device gpu-0 of gpu.example.com, pool n1, has the taint broken:NoExecute since 1969-12-31T23:59:50Z (ResourceSlice n1-gpus); its claim tolerates that for 30s',
	]);
});

test.for<{name: string; objects: readonly DeviceObject[]; pod?: Pod}>([
	{name: 'a claim is not allocated', objects: [aSlice(), unallocated()]},
	{name: 'a claim is reserved for another pod', objects: [aSlice(), aClaim({reservedFor: []})]},
	{
		name: 'a claim tolerates for ever',
		objects: [aSlice(), aClaim({allocated: [{...gpu, tolerations: [tolerates('broken')]}]})],
	},
	{
		name: 'the slice is of an old generation',
		objects: [aSlice(), aSlice({name: 'newer', generation: 2, devices: []}), aClaim()],
	},
	{
		name: 'the taint is NoSchedule',
		objects: [
			aSlice({
				devices: [{name: gpu.device, taints: [aTaint('broken', {effect: 'NoSchedule', timeAdded: 0})]}],
			}),
			aClaim(),
		],
	},
	{name: 'the pod names no claim', objects: [aSlice(), aClaim()], pod: aPod('trainer')},
])('nothing evicts where $name', ({objects, pod = trainer()}) => {
	expect(forecastOf(objects, [pod])).toMatchObject({verdict: 'Safe', cause: null});
});

function unallocated(): ResourceClaim {
	const {allocated: _, ...claim} = aClaim();
	return claim;
}

test('a rule taints the devices that it selects', () => {
	const rule = {kind: 'DeviceTaintRule', name: 'recall', uid: 'r', selector: {driver: gpu.driver}} as const;
	const taint = aTaint('recalled', {timeAdded: at(-1)});
	const pod = forecastOf([aSlice({devices: []}), {...rule, taint}, aClaim()]);
	expect(pod).toMatchObject({
		verdict: 'Scheduled',
		cause: {taint: 'recalled:NoExecute', tolerationSeconds: null},
	});
	expect(pod?.eviction).toMatchObject({earliest: 0});
});

test.for([
	{release: 'v1.37.2', verdict: 'Safe'},
	{release: 'v1.38.0', verdict: 'Scheduled'},
])(
	'in $release a pod that holds a tainted device by an extended resource is $verdict',
	({release, verdict}) => {
		const pod = trainer({claims: [{name: 'gpu', isGenerated: true, isExtended: true}]});
		const objects = [aSlice(), aClaim({ownerUid: pod.uid})];
		expect(forecastOf(objects, [pod], settingsFor(release))?.verdict).toBe(verdict);
	},
);

test('until v1.35 nothing evicts for devices, unless the gate is on', () => {
	expect(forecastOf([aSlice(), aClaim()], [trainer()], settingsFor('v1.35.0'))?.verdict).toBe('Safe');
});

test.for([
	{name: 'and is never Overdue', renewTime: at(-1)},
	{name: 'and is not held where no controller manager runs', renewTime: at(-100)},
])('until v1.35 a gate that nothing shows may be on: then it may be evicted, $name', ({renewTime}) => {
	const {settings, span, list, problems} = resolveSettings({
		flags: {},
		versionFlag: undefined,
		serverVersion: 'v1.34.1',
		controlPlane: unseenControlPlane('hidden'),
	});
	const forecaster = new Forecaster(settings, {span, list, problems});
	const leases = [aLease('n1', 0), aLeader(renewTime, at(-1000))];
	const seen = {nodes: [aNode('n1')], leases, pods: [trainer()]};
	forecaster.observeSnapshot({
		observedAt: 0,
		source: 'cluster',
		problems: [],
		...seen,
		deviceObjects: [longTainted, aClaim()],
	});
	const [pod] = forecaster.forecast(0).pods;
	expect(pod).toMatchObject({
		verdict: 'Unsure',
		held: null,
		cause: {kind: 'DeviceTaint'},
		eviction: {latest: null, likely: null},
	});
	expect(pod?.because.at(-1)).toMatch(/^the gate DRADeviceTaints is off by default/);
});

test('a pod that should have gone is Overdue', () => {
	expect(forecastOf([longTainted, aClaim()])?.verdict).toBe('Overdue');
});

// A new process starts with all due evictions: its own times count from its start.
test('a pod that was due before the controllers started anew is Overdue only some time after their start', () => {
	const after = (acquired: Instant) =>
		forecastOf([longTainted, aClaim()], [trainer()], defaultSettings, acquired);
	const restarted = after(at(-1));
	expect(restarted).toMatchObject({verdict: 'Scheduled', cause: {kind: 'DeviceTaint'}});
	expect(restarted?.eviction?.earliest).toBe(0);
	expect(restarted?.eviction?.latest).toBeLessThan(second);
	expect(after(at(-5))).toMatchObject({verdict: 'Overdue', eviction: {earliest: at(-5)}});
	expect(after(at(-100))).toMatchObject({verdict: 'Overdue', eviction: {earliest: at(-70)}});
});

/** A rule that taints the device of many pods, each with its own claim; the first ones are already marked, at `evicted`. */
function massEviction(taintedAt: Instant, count: number, evicted: readonly Instant[] = []) {
	const names = Array.from({length: count}, (_, index) => `trainer-${index}`);
	const claims = names.map((name) =>
		aClaim({
			...{name, uid: `uid-of-claim-${name}`, allocated: [{...gpu, tolerations: []}]},
			reservedFor: [{name, uid: `uid-of-${name}`}],
		}),
	);
	const pods = names.map((name, index) => {
		const deviceEvictedAt = evicted[index];
		const marked = {deviceEvictedAt, isDisruptionTarget: true, deletionTimestamp: at(30)};
		return aPod(name, {claims: [{name, isGenerated: false}], ...(deviceEvictedAt !== undefined && marked)});
	});
	const slice = aSlice({devices: [{name: gpu.device, taints: [aTaint('recalled', {timeAdded: taintedAt})]}]});
	const verdicts = forecasterOf([slice, ...claims], pods)
		.forecast(0)
		.pods.map(({verdict}) => verdict);
	return Object.fromEntries([...Map.groupBy(verdicts, (one) => one)].map(([key, all]) => [key, all.length]));
}

test('in a mass eviction those that wait for their turn are not Overdue while the controller is at work', () => {
	expect(massEviction(at(-60), 240, [at(-1)])).toEqual({Terminating: 1, Scheduled: 239});
});

test('where nothing shows the controller at work, the next in the queue are Overdue, and those behind them not', () => {
	const {Overdue = 0, Scheduled = 0} = massEviction(at(-60), 240, []);
	expect(Overdue).toBeGreaterThan(0);
	expect(Overdue).toBeLessThan(60);
	expect(Scheduled).toBe(240 - Overdue);
	expect(massEviction(at(-60), 240, [at(-20)])['Overdue']).toBe(Overdue);
});

test('explain tells of the device', () => {
	const explained = forecasterOf([aSlice(), aClaim()]).explain(
		{kind: 'pod', namespace: 'shop', name: 'trainer'},
		0,
	);
	expect(explained?.summary).toContain('device gpu-0 (gpu.example.com, pool n1)');
	expect(explained?.steps.map(({what}) => what)).toContain(
		'the device taint eviction controller deletes the pod',
	);
	expect(explained?.whyNot.filter(({effect}) => effect === 'Prevents')).toEqual([]);
});

test('what becomes of a node changes nothing for a pod that its device evicts first', () => {
	const changes = [{at: 0, type: 'nodeDown', node: 'n1'}] as const;
	const [pod] = forecasterOf([aSlice(), aClaim()]).whatIf(changes, 0).pods;
	expect(pod?.before.cause?.kind).toBe('DeviceTaint');
	expect(pod?.after.cause?.kind).toBe('DeviceTaint');
});

const healthy = aSlice({devices: [{name: gpu.device, taints: []}]});
const supposed = (key: string, when = 0) =>
	({at: when, type: 'deviceTaint', device: gpu, taint: aTaint(key)}) as const;

test.for([
	{key: 'broken', when: 0, goesAt: at(30)},
	{key: 'broken', when: at(60), goesAt: at(90)},
	{key: 'other', when: at(60), goesAt: at(60)},
])('a device that would be tainted $key at $when evicts a pod of a well node', ({key, when, goesAt}) => {
	const forecaster = forecasterOf([healthy, aClaim()], [trainer(), aPod('bystander')]);
	const {pods} = forecaster.whatIf([supposed(key, when)], 0);
	expect(pods.map(({before}) => before.name)).toEqual(['trainer']);
	const [pod] = pods;
	expect(pod).toMatchObject({
		effect: 'added',
		before: {verdict: 'Safe'},
		after: {verdict: 'Scheduled', cause: {kind: 'DeviceTaint', taint: `${key}:NoExecute`, ...gpu}},
	});
	expect(pod?.endings).toMatchObject({before: [], after: [{cause: 'DeviceTaint', isCertain: true}]});
	expect(pod?.after.eviction?.earliest).toBe(goesAt);
	expect(pod?.after.eviction?.latest).toBeLessThan(goesAt + second);
	expect(forecaster.forecast(0).pods.map(({verdict}) => verdict)).toEqual(['Safe', 'Safe']);
});

test('a device that would be tainted beside another taint evicts earlier, on a node that is lost as well', () => {
	const forecaster = forecasterOf([aSlice(), aClaim()]);
	const changes = [supposed('other', at(5)), {at: 0, type: 'nodeDown', node: 'n1'}] as const;
	const [pod] = forecaster.whatIf(changes, 0).pods;
	expect(pod).toMatchObject({effect: 'moved', after: {cause: {taint: 'other:NoExecute'}}});
	expect(pod?.before.eviction?.earliest).toBe(at(20));
	expect(pod?.after.eviction?.earliest).toBe(at(5));
});

test('a taint that is supposed evicts nobody who tolerates it, nor where the controller does not', () => {
	const forever = aClaim({allocated: [{...gpu, tolerations: [tolerates('broken')]}]});
	expect(forecasterOf([healthy, forever]).whatIf([supposed('broken')], 0).pods).toEqual([]);
	const old = forecasterOf([healthy, aClaim()], [trainer()], settingsFor('v1.35.0'));
	expect(old.whatIf([supposed('broken')], 0).pods).toEqual([]);
});

test('nothing that is done to a node saves a pod from its device', () => {
	const forecaster = forecasterOf([aSlice(), aClaim()]);
	const forecast = forecaster.forecast(0);
	const [rescue] = finish(rescuesInSteps(forecaster, {forecast, pressure: []}, new Set(['uid-of-trainer'])));
	expect(rescue?.remedies).toEqual([]);
	expect(rescue?.endings[0]).toMatchObject({cause: 'DeviceTaint', isCertain: true});
	const text = formatRescue({now: 0, pods: rescue ? [rescue] : [], held: []});
	expect(text).toContain('no use: its device evicts it');
	expect(text).toContain(
		'the taint broken:NoExecute of device gpu-0 (gpu.example.com, pool n1) is\n    removed',
	);
});

test.for([
	{name: 'of its node', slice: healthy, want: ['n1']},
	{name: 'of all nodes, where it is of none', slice: ofNoNode(), want: ['n1', 'n2']},
	{name: 'of none, where no slice has it', slice: aSlice({devices: []}), want: []},
])('the pods are read $name, where a taint of a device is supposed', ({slice, want}) => {
	const nodes = ['n1', 'n2'].map((name) => ({type: 'nodeApplied', node: aNode(name)}) as const);
	const leases = ['n1', 'n2'].map((name) => ({type: 'leaseApplied', lease: aLease(name, 0)}) as const);
	const chooser = podChooser({devices: [gpu]});
	expect(chooser.first([...nodes, ...leases, {type: 'deviceObjectApplied', object: slice}], 0)).toEqual(want);
});

function ofNoNode(): ResourceSlice {
	const {nodeName: _, ...slice} = healthy;
	return slice;
}

test('the pods of a node are read whose device evicts', () => {
	const node = {type: 'nodeApplied', node: aNode('n1')} as const;
	const lease = {type: 'leaseApplied', lease: aLease('n1', 0)} as const;
	const objects = [aSlice(), aClaim()].map((object) => ({type: 'deviceObjectApplied', object}) as const);
	expect(new FirstLook([node, lease], 0, defaultSettings).podScope).toEqual([]);
	expect(new FirstLook([node, lease, ...objects], 0, defaultSettings).podScope).toEqual(['n1']);
});

/** A device without a node: all pods may use it. */
test('all pods are read where a device that evicts is of no node', () => {
	const {nodeName: _, ...slice} = aSlice();
	const node = {type: 'nodeApplied', node: aNode('n2')} as const;
	const objects = [slice, aClaim()].map((object) => ({type: 'deviceObjectApplied', object}) as const);
	expect(new FirstLook([node, ...objects], 0, defaultSettings).podScope).toContain('n2');
});
