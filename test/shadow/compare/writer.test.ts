import {expect, test} from 'vitest';
import {ControllerNames, foreignWriter} from '../../../src/shadow/compare/writer.ts';
import {aNode} from '../../support/builders.ts';

const taint = {key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute'} as const;
const write = (manager: string, time: number) => ({manager, operation: 'Update', time});

test.for([
	{
		name: 'the newest write is of a user',
		before: [write('kube-controller-manager', 1000)],
		after: [write('kube-controller-manager', 1000), write('kubectl-taint', 9000)],
		want: 'kubectl-taint',
	},
	{
		name: 'the controllers wrote last',
		before: [write('kubectl-taint', 1000)],
		after: [write('kubectl-taint', 1000), write('kube-controller-manager', 9000)],
		want: undefined,
	},
	{
		name: 'both wrote in one second',
		before: [],
		after: [write('kubectl-taint', 9000), write('kube-controller-manager', 9000)],
		want: undefined,
	},
	{name: 'nobody is named', before: [], after: [], want: undefined},
])('who took a taint off is known where $name', ({before, after, want}) => {
	const old = {...aNode('n1'), taints: [{...taint, timeAdded: 500}], taintWrites: before};
	expect(foreignWriter(old, {...aNode('n1'), taintWrites: after})).toBe(want);
});

test('a taint without a time is somebody doing, where no write names anybody', () => {
	expect(foreignWriter(aNode('n1'), {...aNode('n1'), taints: [taint]})).toBe('somebody');
	expect(foreignWriter(aNode('n1'), {...aNode('n1'), taints: [{...taint, timeAdded: 1}]})).toBeUndefined();
});

test('who gives the taints of the controllers with their time is the controllers, whatever it is called', () => {
	const controllers = new ControllerNames();
	const tainted = {...aNode('n1'), taints: [{...taint, timeAdded: 9000}], taintWrites: [write('k3s', 9000)]};
	expect(foreignWriter(aNode('n1'), tainted, controllers)).toBe('k3s');
	controllers.learnFrom(tainted);
	expect(foreignWriter(aNode('n1'), tainted, controllers)).toBeUndefined();
	const byUser = {...tainted, taintWrites: [write('k3s', 9000), write('kubectl-taint', 9500)]};
	controllers.learnFrom(byUser);
	controllers.learnFrom({...aNode('n2'), taints: [taint], taintWrites: [write('helm', 9000)]});
	expect(['k3s', 'kubectl-taint', 'helm'].filter((name) => controllers.has(name))).toEqual(['k3s']);
});
