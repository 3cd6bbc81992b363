import {expect, test} from 'vitest';
import {
	claimEviction,
	isSameEviction,
	podEviction,
} from '../../../src/core/devicetainteviction/deviceEviction.ts';
import {DevicePools} from '../../../src/core/devicetainteviction/devicePools.ts';
import {
	DeviceTaintEvictionController,
	type DeviceWake,
} from '../../../src/core/devicetainteviction/deviceTaintEvictionController.ts';
import type {DeviceTaint, ResourceClaim, ResourceSlice} from '../../../src/core/model/device.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aPod, aTaint, tolerates} from '../../support/builders.ts';

const broken = aTaint('broken', {timeAdded: 100 * second});

const aSlice = (taints: Readonly<Record<string, readonly DeviceTaint[]>>): ResourceSlice => ({
	...{kind: 'ResourceSlice', name: 's', driver: 'd', pool: 'p', generation: 1},
	devices: Object.entries(taints).map(([name, list]) => ({name, taints: list})),
});

const aClaim = (
	tolerations: readonly Toleration[] = [],
	users: readonly string[] = ['trainer'],
): ResourceClaim => ({
	...{kind: 'ResourceClaim', namespace: 'shop', name: 'gpu', uid: 'uid-of-gpu'},
	allocated: [{driver: 'd', pool: 'p', device: 'x', tolerations}],
	reservedFor: users.map((name) => ({name, uid: `uid-of-${name}`})),
});

const user = (name: string, fields: Partial<Pod> = {}) =>
	aPod(name, {claims: [{name: 'gpu', isGenerated: false}], ...fields});

const settings = settingsFor('v1.37.2');
/** As far as v1.38.0-beta.0 shows it. */
const next = settingsFor('v1.38.0-beta.0');

/** When a claim with these tolerations causes an eviction, in seconds after the taint; undefined if it does not. */
function evictsAfter(tolerations: readonly Toleration[], rules = settings): number | undefined {
	const pools = new DevicePools();
	pools.replace(undefined, aSlice({x: [broken]}));
	const eviction = claimEviction(aClaim(tolerations), pools, [], rules);
	return eviction && eviction.when / second - 100;
}

test('until 1.37 a toleration without an effect, which tolerates every effect for the scheduler, does not tolerate NoExecute here', () => {
	const tolerations = [{...tolerates('broken', 30), effect: '' as const}];
	expect(evictsAfter(tolerations)).toBe(0);
	expect(evictsAfter(tolerations, next)).toBe(30);
});

test('until 1.37 a tainted device takes no pod along that holds it by an extended resource', () => {
	const eviction = {when: 0, reasons: []};
	const of = () => ({claim: {...aClaim(), ownerUid: 'uid-of-trainer'}, eviction});
	const trainer = user('trainer', {claims: [{name: 'gpu', isGenerated: true, isExtended: true}]});
	expect(podEviction(trainer, of, settings)).toBeUndefined();
	expect(podEviction(trainer, of, next)).toBe(eviction);
	const other = {...trainer, uid: 'another of that name'};
	expect(podEviction(other, of, next)).toBeUndefined();
});

test('of several tolerations that match a taint the shortest counts, and one without an end before all', () => {
	expect(evictsAfter([tolerates('broken', 30), tolerates('broken', 20)])).toBe(20);
	expect(evictsAfter([tolerates('broken', 30), tolerates('broken')])).toBeUndefined();
});

test('seconds that overflow int64 nanoseconds wrap: a toleration of centuries may be none', () => {
	expect(evictsAfter([tolerates('broken', 9_223_372_037)])).toBeLessThan(0);
});

test('a pod that has ended, or is Terminating, is due like any other', () => {
	const eviction = {when: 0, reasons: []};
	const of = () => ({claim: aClaim(), eviction});
	expect(podEviction(user('trainer', {phase: 'Succeeded'}), of, settings)).toBe(eviction);
	expect(podEviction(user('trainer', {deletionTimestamp: 1}), of, settings)).toBe(eviction);
	expect(podEviction(user('trainer', {nodeName: ''}), of, settings)).toBeUndefined();
});

test('of two evictions, where neither is there, they count as different', () => {
	const eviction = {when: 0, reasons: []};
	expect(isSameEviction(undefined, undefined)).toBe(false);
	expect(isSameEviction(eviction, {...eviction})).toBe(true);
});

test('devices that come in the order of names before or behind a change may count as modified, too', () => {
	const pools = new DevicePools();
	const before = aSlice({b: [broken]});
	expect([...pools.replace(undefined, before)]).toEqual(['b']);
	expect([...pools.replace(before, aSlice({a: [broken], b: [broken]}))].toSorted()).toEqual(['a', 'b']);
});

/** A controller whose pods are deleted at once; records which. */
function aController(pods: readonly Pod[], slice: ResourceSlice, claim: ResourceClaim) {
	const loop = new EventLoop<DeviceWake>(0);
	const present = new Map(pods.map((pod) => [`shop/${pod.name}`, pod]));
	const deleted: string[] = [];
	const controller = new DeviceTaintEvictionController({...settings, kubeApiQps: 0, kubeApiBurst: 0}, 1, {
		api: {
			pod: (key) => present.get(key),
			markDisruptionTarget: () => 'written',
			deletePod: (key) => {
				deleted.push(key);
				return 'written';
			},
			eventPosted: () => undefined,
		},
		wakeAt: (at, wake) => loop.schedule(at, wake),
	});
	controller.start([slice, claim], pods, 0);
	const advance = (to: number) => loop.advanceTo(to * second, (wake, now) => controller.wake(wake, now));
	return {controller, advance, deleted};
}

test('an allocation counts as it was when it was made: tolerations that are added to it later do not', () => {
	const claim = aClaim();
	const {controller, advance, deleted} = aController([user('trainer')], aSlice({x: [broken]}), claim);
	controller.objectChanged(claim, aClaim([tolerates('broken')]), 0);
	advance(200);
	expect(deleted).toEqual(['shop/trainer']);
});

test('a pod that was evicted once, or found Terminating, is not deleted again, unless 500 others were since', () => {
	const names = Array.from({length: 501}, (_, index) => `p${index}`);
	const claim = aClaim([], ['trainer']);
	const pods = ['trainer', ...names].map((name) => user(name));
	const {controller, advance, deleted} = aController(pods, aSlice({x: [broken]}), claim);
	advance(101);
	expect(deleted).toEqual(['shop/trainer']);
	controller.objectChanged(claim, aClaim([], ['trainer', ...names.slice(0, 1)]), 101 * second);
	advance(102);
	expect(deleted).toEqual(['shop/trainer', 'shop/p0']);
	controller.objectChanged(claim, aClaim([], names), 102 * second);
	advance(103);
	expect(deleted).toHaveLength(502);
	controller.objectChanged(claim, aClaim([], ['trainer']), 103 * second);
	advance(104);
	expect(deleted).toHaveLength(503);
});
