import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {
	isExcludedFromDisruptionChecks,
	isNamedAsMaster,
	labelsToReconcile,
} from '../../../src/core/nodelifecycle/nodeLabels.ts';
import {aNode} from '../../support/builders.ts';

test('until 1.18 the beta os and arch labels lead, and the stable ones follow', () => {
	const labels = {'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'windows'};
	const byRelease = (version: string) => labelsToReconcile(aNode('n1', {labels}), settingsFor(version));
	expect(byRelease('v1.18.0')).toEqual({'kubernetes.io/os': 'windows'});
	expect(byRelease('v1.19.0')).toEqual({'beta.kubernetes.io/os': 'linux'});
});

test.for([
	{name: 'master', want: true},
	{name: 'kube-master', want: true},
	{name: 'master-abc', want: true},
	{name: 'kube-master-x1z', want: true},
	{name: 'aster-abcd', want: false},
	{name: 'master-1', want: false},
	{name: 'master-abcd', want: false},
	{name: 'masterful', want: false},
])(
	'until 1.20 a node counts for no zone where its name ends in master, or in master- and three more: $name',
	({name, want}) => {
		expect(isNamedAsMaster(name)).toBe(want);
		expect(isExcludedFromDisruptionChecks(aNode(name), settingsFor('v1.20.15'))).toBe(want);
		expect(isExcludedFromDisruptionChecks(aNode(name), settingsFor('v1.21.0'))).toBe(false);
	},
);
