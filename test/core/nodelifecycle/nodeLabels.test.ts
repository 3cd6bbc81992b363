import {expect, test} from 'vitest';
import {
	isExcludedFromDisruptionChecks,
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
	expect(labelsToReconcile(aNode('n1', {labels}))).toEqual(want);
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
	expect(isExcludedFromDisruptionChecks(aNode('n1', {labels}))).toBe(want);
});
