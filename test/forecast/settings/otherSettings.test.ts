import {expect, test} from 'vitest';
import {type ControlPlane, unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {otherSettings} from '../../../src/forecast/settings/otherSettings.ts';
import {aLease} from '../../support/builders.ts';

const hidden = unseenControlPlane('hidden');
const withFlags = (flags: Readonly<Record<string, string>>): ControlPlane => ({
	...hidden,
	apiServer: {seenIn: 'pod kube-system/kube-apiserver-cp1', flags: new Map(Object.entries(flags))},
});

test('kubelets renew each quarter of the duration that most of them ask for', () => {
	const leases = [40_000, 40_000, 20_000].map((leaseDuration, index) => ({
		...aLease(`n${index}`, 0),
		leaseDuration,
	}));
	expect(otherSettings(leases, hidden)).toMatchObject({
		leaseDuration: {value: 40_000, source: {kind: 'learned', detail: '2 of 3 node leases; others have 20s'}},
		renewInterval: {value: 10_000},
	});
});

test.for([{leases: undefined}, {leases: []}])('without leases ($leases) the default', ({leases}) => {
	expect(otherSettings(leases, hidden).leaseDuration).toMatchObject({
		value: 40_000,
		source: {kind: 'profile'},
	});
});

test.for([
	{name: 'hidden', controlPlane: hidden, value: 300, kind: 'profile'},
	{name: 'not set', controlPlane: withFlags({}), value: 300, kind: 'profile'},
	{
		name: 'set',
		controlPlane: withFlags({'default-unreachable-toleration-seconds': '30'}),
		value: 30,
		kind: 'staticPod',
	},
	{
		name: 'unreadable',
		controlPlane: withFlags({'default-unreachable-toleration-seconds': '30s'}),
		value: 300,
		kind: 'profile',
	},
	{
		name: 'switched off',
		controlPlane: withFlags({'disable-admission-plugins': 'AlwaysAdmit,DefaultTolerationSeconds'}),
		value: null,
		kind: 'staticPod',
	},
])('the default toleration: $name', ({controlPlane, value, kind}) => {
	expect(otherSettings([], controlPlane).unreachableToleration).toMatchObject({value, source: {kind}});
});

test('what a kubelet says of itself counts more than what leases show', () => {
	const kubelet = {node: 'n1', leaseDuration: 20_000, statusReportFrequency: 60_000};
	const others = otherSettings([], hidden, kubelet);
	expect(others.leaseDuration).toMatchObject({
		value: 20_000,
		source: {kind: 'configz', detail: 'configz of the kubelet of node n1'},
	});
	expect(others.renewInterval.value).toBe(5000);
	expect(others.statusReportFrequency?.value).toBe(60_000);
	expect(others.statusUpdateFrequency).toBeUndefined();
});
