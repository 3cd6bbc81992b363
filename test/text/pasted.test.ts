import {expect, test} from 'vitest';
import {connectionOf} from '../../cmd/args/connection.ts';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {pasted, usualConnection, withPasted} from '../../src/text/pasted.ts';

test.for([
	{command: 'kubectl cordon n1', want: 'kubectl cordon n1 --context prod'},
	{
		command: 'kubectl taint node n1 a:NoExecute   # if off',
		want: 'kubectl taint node n1 a:NoExecute --context prod   # if off',
	},
	{command: '(on node n1) systemctl restart kubelet', want: '(on node n1) systemctl restart kubelet'},
])('$command goes to the cluster that was asked', ({command, want}) => {
	const connection = {kubectl: '--context prod', evictwatch: '--context prod'};
	expect(pasted(command, connection)).toBe(want);
	expect(pasted(command, usualConnection)).toBe(command);
	expect(withPasted(`say \`${command}\`, and wait`, connection)).toBe(`say \`${want}\`, and wait`);
});

test('files are read by no command but ours', () => {
	const connection = connectionOf(
		parseCommandLine(['rescue', '-f', 'a b.json', '-f', 'c', '--context', 'x']),
	);
	expect(pasted('kubectl cordon n1', connection)).toBe('kubectl cordon n1');
	expect(pasted('kubectl evictwatch rescue', connection)).toBe(
		"kubectl evictwatch rescue -f 'a b.json' -f c",
	);
});

test.for([
	{line: 'rescue', want: ''},
	{line: 'rescue -s http://127.0.0.1:8001', want: '-s http://127.0.0.1:8001'},
	{line: 'rescue -s https://me:secret@api:6443/k8s', want: '-s https://api:6443/k8s'},
	{
		line: 'rescue --kubeconfig a;b --context prod --cluster c',
		want: "--kubeconfig 'a;b' --cluster c --context prod",
	},
	{
		line: 'rescue -s https://h --tls-server-name k8s --insecure-skip-tls-verify',
		want: '-s https://h --tls-server-name k8s --insecure-skip-tls-verify',
	},
	{line: 'rescue --token secret --username me --password secret --user me -n shop', want: ''},
])('of "$line" only what chose the cluster is said again', ({line, want}) => {
	expect(connectionOf(parseCommandLine(line.split(' ')))).toEqual({kubectl: want, evictwatch: want});
});
