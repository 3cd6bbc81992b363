import {expect, test} from 'vitest';
import {flagsOfOpenShift, flagsOfServer} from '../../../src/cluster/controlplane/vendorFlags.ts';

const nodeWith = (args: unknown, annotation = 'k3s.io/node-args') => ({
	metadata: {name: 's1', annotations: {[annotation]: typeof args === 'string' ? args : JSON.stringify(args)}},
});
const graceOf = (node: unknown) =>
	flagsOfServer(node).map(({component, flags}) => [component, Object.fromEntries(flags ?? [])]);

test('the arguments of a server of k3s or RKE2 show what it passes on to its controller manager and API server', () => {
	const args = [
		...['server', '--token', '********'],
		...['--kube-controller-manager-arg', 'node-monitor-grace-period=2m'],
		...['--kube-apiserver-arg', 'default-unreachable-toleration-seconds=30'],
		...[
			'--kube-controller-manager-arg',
			'--controllers=*,-nodelifecycle',
			'--kubelet-arg',
			'node-monitor-grace-period=1s',
		],
	];
	const want = [
		['kube-controller-manager', {'node-monitor-grace-period': '2m', controllers: '*,-nodelifecycle'}],
		['kube-apiserver', {'default-unreachable-toleration-seconds': '30'}],
	];
	expect(graceOf(nodeWith(args))).toEqual(want);
	expect(graceOf(nodeWith(args, 'rke2.io/node-args'))).toEqual(want);
	// A server that passes nothing on has the defaults; an agent and what is no list show nothing.
	expect(graceOf(nodeWith(['server']))).toEqual([
		['kube-controller-manager', {}],
		['kube-apiserver', {}],
	]);
	for (const other of [nodeWith(['agent']), nodeWith('{'), {metadata: {name: 'n'}}])
		expect(flagsOfServer(other)).toEqual([]);
});

const shown = (operator: unknown, config?: unknown) =>
	flagsOfOpenShift(operator, config).map(({flags}) => flags?.get('node-monitor-grace-period') ?? 'none');
const observed = (values: object) => ({spec: {observedConfig: {extendedArguments: values}}});
const profiled = (workerLatencyProfile?: string) => ({spec: {workerLatencyProfile}});

test('OpenShift shows the flags of its controller manager in what its operator observed, or by a worker latency profile', () => {
	expect(shown(observed({'node-monitor-grace-period': ['2m0s']}), profiled('Default'))).toEqual(['2m0s']);
	// Without a profile its operator sets no flag.
	expect(shown(observed({'cluster-name': ['x']}), profiled())).toEqual(['none']);
	expect(shown(undefined, profiled('LowUpdateSlowReaction'))).toEqual(['5m']);
	expect(shown(undefined, profiled())).toEqual([]);
	const overridden = {'node-monitor-grace-period': ['30s']};
	const unsupported = {
		spec: {...observed({}).spec, unsupportedConfigOverrides: {extendedArguments: overridden}},
	};
	expect(shown(unsupported)).toEqual(['30s']);
	expect(flagsOfOpenShift(observed({}), {})[0]?.flags?.get('kube-api-qps')).toBe('150');
});
