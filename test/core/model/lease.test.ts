import {expect, test} from 'vitest';
import {isControllerManagerLease} from '../../../src/core/model/lease.ts';

test.for([
	{namespace: 'kube-system', name: 'kube-controller-manager', want: true},
	{namespace: 'kube-system', name: 'kube-scheduler', want: false},
	{namespace: 'kube-node-lease', name: 'kube-controller-manager', want: false},
])("the lease $namespace/$name is the controller manager's: $want", ({want, ...lease}) => {
	expect(isControllerManagerLease(lease)).toBe(want);
});
