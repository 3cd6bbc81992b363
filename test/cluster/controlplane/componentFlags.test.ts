import {expect, test} from 'vitest';
import {readComponentFlags} from '../../../src/cluster/controlplane/componentFlags.ts';

test.for<{name: string; words: string[]; want: Record<string, string>}>([
	{
		name: 'a value behind an equals sign, and one as the next word',
		words: ['kube-controller-manager', '--node-eviction-rate=0.5', '--kube-api-qps', '50'],
		want: {'node-eviction-rate': '0.5', 'kube-api-qps': '50'},
	},
	{
		name: 'a switch takes no word after it',
		words: ['--leader-elect', '--enable-taint-manager=false', '--leader-elect', 'false'],
		want: {'leader-elect': 'true', 'enable-taint-manager': 'false'},
	},
	{
		name: 'a value may look like a flag',
		words: ['--controllers', '-taint-eviction-controller,*'],
		want: {controllers: '-taint-eviction-controller,*'},
	},
	{name: 'underscores are dashes', words: ['--node_monitor_period=2s'], want: {'node-monitor-period': '2s'}},
	{
		name: 'the last one wins, and lists grow',
		words: ['--kube-api-qps=1', '--kube-api-qps=2', '--feature-gates=A=true', '--feature-gates=B=false'],
		want: {'kube-api-qps': '2', 'feature-gates': 'A=true,B=false'},
	},
	{
		name: 'what is not asked for is dropped, secrets among it',
		words: [
			'--service-account-private-key-file=/sa.key',
			'--client-secret',
			'x',
			'-v=2',
			'--kube-api-burst=9',
		],
		want: {'kube-api-burst': '9'},
	},
	{
		name: 'a shell around it',
		words: [
			'/bin/sh',
			'-c',
			'mkfifo log; exec /usr/local/bin/kube-controller-manager --kube-api-qps="7" 2>&1',
		],
		want: {'kube-api-qps': '7'},
	},
	{
		name: 'the hyperkube of v1.18 and before, in a shell',
		words: ['sh', '-c', '/hyperkube controller-manager --node-monitor-grace-period=3m >> /var/log/kcm.log'],
		want: {'node-monitor-grace-period': '3m'},
	},
	{name: 'a flag without its value', words: ['--node-monitor-period'], want: {'node-monitor-period': ''}},
	{name: 'a name of every object', words: ['--constructor=1', '--toString', 'x'], want: {}},
])('$name', ({words, want}) => {
	expect(Object.fromEntries(readComponentFlags('kube-controller-manager', words) ?? [])).toEqual(want);
});

test('each component has its own', () => {
	const words = ['--default-unreachable-toleration-seconds=60', '--kube-api-qps=50'];
	expect(Object.fromEntries(readComponentFlags('kube-apiserver', words) ?? [])).toEqual({
		'default-unreachable-toleration-seconds': '60',
	});
});

test.for([
	{name: 'a script', words: ['/bin/sh', '/etc/kubernetes/start.sh']},
	{name: 'a variable', words: ['sh', '-c', 'exec kube-controller-manager --kube-api-qps=9 $ARGS']},
	{
		name: 'a variable of the container',
		words: ['kube-controller-manager', '--node-monitor-grace-period=$(GRACE)'],
	},
	{name: 'what its image starts', words: []},
])('a command does not show the flags: $name', ({words}) => {
	expect(readComponentFlags('kube-controller-manager', words)).toBeUndefined();
});
