import {presentText} from '../../cluster/codec/rawJson.ts';
import type {DeviceObject, DeviceTaintRule, ResourceClaim, ResourceSlice} from '../../core/model/device.ts';
import {assertAllWritten, prunedTaint} from './pruned.ts';
import {prunedToleration} from './prunedPod.ts';

/** A slice, claim or rule as recorded: without attributes, requests and driver configurations. */
export function prunedDeviceObject(object: DeviceObject): object {
	switch (object.kind) {
		case 'ResourceSlice':
			return prunedSlice(object);
		case 'ResourceClaim':
			return prunedClaim(object);
		case 'DeviceTaintRule':
			return prunedRule(object);
	}
}

function prunedSlice({kind, name, driver, pool, generation, nodeName, devices, ...rest}: ResourceSlice) {
	assertAllWritten(rest);
	return {
		apiVersion: 'resource.k8s.io/v1',
		kind,
		metadata: {name},
		spec: {
			driver,
			pool: {name: pool, generation},
			...presentText('nodeName', nodeName),
			devices: devices.map(({name: device, nodeName: own, taints, ...others}) => {
				assertAllWritten(others);
				return {
					name: device,
					...presentText('nodeName', own),
					...(taints.length > 0 && {taints: taints.map(prunedTaint)}),
				};
			}),
		},
	};
}

function prunedClaim({kind, namespace, name, uid, ownerUid, allocated, reservedFor, ...rest}: ResourceClaim) {
	assertAllWritten(rest);
	const results = allocated?.map(({driver, pool, device, tolerations, ...others}) => {
		assertAllWritten(others);
		return {
			...{driver, pool, device},
			...(tolerations.length > 0 && {tolerations: tolerations.map(prunedToleration)}),
		};
	});
	return {
		apiVersion: 'resource.k8s.io/v1',
		kind,
		metadata: {
			...{namespace, name, uid},
			...(ownerUid !== undefined && {ownerReferences: [{uid: ownerUid, controller: true}]}),
		},
		status: {
			...(results && {allocation: {devices: {results}}}),
			reservedFor: reservedFor.map(({name: pod, uid: podUid, ...others}) => {
				assertAllWritten(others);
				return {resource: 'pods', name: pod, uid: podUid};
			}),
		},
	};
}

function prunedRule({kind, name, uid, selector, taint, ...rest}: DeviceTaintRule) {
	assertAllWritten(rest);
	return {
		apiVersion: 'resource.k8s.io/v1beta2',
		kind,
		metadata: {name, uid},
		spec: {...(selector && {deviceSelector: selector}), taint: prunedTaint(taint)},
	};
}
