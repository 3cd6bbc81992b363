import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {
	isExcludedFromDisruptionChecks,
	isNamedAsMaster,
	labelsToReconcile,
} from '../../../src/core/nodelifecycle/nodeLabels.ts';
import {aNode} from '../../support/builders.ts';

test.for([
	{name: 'nothing to do on a node without labels', labels: {}, want: undefined},
	{
		name: 'nothing to do where only other labels are',
		labels: {'topology.kubernetes.io/region': 'eu'},
		want: undefined,
	},
	{
		name: 'beta labels are made where they are missing',
		labels: {'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64'},
		want: {'beta.kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': 'amd64'},
	},
	{
		name: 'beta labels follow the stable ones where they differ',
		labels: {
			'kubernetes.io/os': 'linux',
			'kubernetes.io/arch': 'amd64',
			'beta.kubernetes.io/os': 'windows',
			'beta.kubernetes.io/arch': 'amd64',
		},
		want: {'beta.kubernetes.io/os': 'linux'},
	},
	{
		name: 'beta labels without a stable one are left alone',
		labels: {'beta.kubernetes.io/os': 'windows'},
		want: undefined,
	},
])('$name', ({labels, want}) => {
	expect(labelsToReconcile(aNode('n1', {labels}), {stableLabelsLead: true})).toEqual(want);
});

test.for([
	{name: 'a node without labels counts for its zone', labels: {}, want: false},
	{
		name: 'the label excludes a node, whatever its value',
		labels: {'node.kubernetes.io/exclude-disruption': ''},
		want: true,
	},
	{name: 'even where it says false', labels: {'node.kubernetes.io/exclude-disruption': 'false'}, want: true},
	{name: 'other labels do not exclude', labels: {'node-role.kubernetes.io/control-plane': ''}, want: false},
])('$name', ({labels, want}) => {
	expect(isExcludedFromDisruptionChecks(aNode('n1', {labels}), settingsFor('v1.36.3'))).toBe(want);
});

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

test('the label excludes nodes from 1.19 on', () => {
	const node = aNode('n1', {labels: {'node.kubernetes.io/exclude-disruption': ''}});
	expect(isExcludedFromDisruptionChecks(node, settingsFor('v1.18.20'))).toBe(false);
	expect(isExcludedFromDisruptionChecks(node, settingsFor('v1.19.0'))).toBe(true);
});
