import {expect, test} from 'vitest';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {connectionOf} from '../../cmd/output/connection.ts';
import {pasted} from '../../src/text/pasted.ts';

test.for([
	{command: 'kubectl cordon n1', want: 'kubectl cordon n1 --context prod'},
	{
		command: 'kubectl taint node n1 a:NoExecute   # if off',
		want: 'kubectl taint node n1 a:NoExecute --context prod   # if off',
	},
	{command: '(on node n1) systemctl restart kubelet', want: '(on node n1) systemctl restart kubelet'},
])('$command goes to the cluster that was asked', ({command, want}) => {
	expect(pasted(command, '--context prod')).toBe(want);
	expect(pasted(command, '')).toBe(command);
});

test.for([
	{line: 'rescue', want: ''},
	{line: 'rescue -s http://127.0.0.1:8001', want: '-s http://127.0.0.1:8001'},
	{line: 'rescue -s https://me:secret@api:6443/k8s', want: '-s https://api:6443/k8s'},
	{
		line: 'rescue --kubeconfig a;b --context prod --cluster c',
		want: "--kubeconfig 'a;b' --cluster c --context prod",
	},
	{line: 'rescue --token secret --username me --password secret --user me -n shop', want: ''},
])('of "$line" only what chose the cluster is said again', ({line, want}) => {
	expect(connectionOf(parseCommandLine(line.split(' ')).flags)).toBe(want);
});
