import {expect, test} from 'vitest';
import {questions} from '../../../cmd/args/usageError.ts';
import {commands, parseCommandLine} from '../../../cmd/commands/commandTable.ts';

test.for([
	{name: 'nothing', line: '', command: undefined, names: []},
	{name: 'a command', line: 'pods', command: 'pods', names: []},
	{name: 'its short form', line: 'po', command: 'pods', names: []},
	{name: 'its singular', line: 'zone', command: 'zones', names: []},
	{name: 'a command and names', line: 'pods web-1 web-2', command: 'pods', names: ['web-1', 'web-2']},
	{name: 'a kind and a name in one word', line: 'pod/web-1', command: 'pods', names: ['web-1']},
	{name: 'names with their kind', line: 'nodes node/n1 n2', command: 'nodes', names: ['n1', 'n2']},
	{name: 'a zone, whose name holds a slash', line: 'zones eu/b', command: 'zones', names: ['eu/b']},
	{name: 'a zone with its kind', line: 'zone/eu/b', command: 'zones', names: ['eu/b']},
	{name: 'what is listed, with get', line: 'get workloads', command: 'workloads', names: []},
	{name: 'the workloads of a kind', line: 'get deploy', command: 'workloads', names: []},
	{name: 'those of several kinds', line: 'sts,ds', command: 'workloads', names: []},
	{name: 'one of them', line: 'get sts cart', command: 'workloads', names: ['sts', 'cart']},
	{name: 'pods of a workload', line: 'get deploy/web', command: 'pods', names: []},
	{name: 'a scenario', line: 'demo node-dies', command: 'demo', names: ['node-dies']},
	{name: 'help wins over the command', line: 'pods --help', command: 'help', names: ['pods']},
	{name: 'help needs no sense', line: '-h pods web -l x', command: 'help', names: ['pods']},
	{name: 'the version', line: '--version', command: 'version', names: []},
])('$name: "$line"', ({line, command, names}) => {
	expect(parseCommandLine(words(line))).toMatchObject({command, names});
});

test.for([
	{line: 'rescue shop/cart-0', names: ['cart-0']},
	{line: 'explain shop/cart-0 shop/cart-1 -A', names: ['cart-0', 'cart-1']},
	{line: 'explain pod shop/cart-0 -n shop', names: ['pod', 'cart-0']},
	{line: 'rescue shop/deployment/web shop/pod/once', names: ['deployment/web', 'pod/once']},
	{line: 'pods shop/cart-0', names: ['cart-0']},
	{line: 'get pods shop/cart-0', names: ['cart-0']},
	{line: 'workloads shop/web', names: ['web']},
])('"$line" names objects of namespace shop, as outputs do', ({line, names}) => {
	const options = parseCommandLine(words(line));
	expect(options).toMatchObject({names, flags: {namespace: 'shop', allNamespaces: false}});
});

test.for(['explain zone/eu/b', 'explain zone eu/b', 'rescue deploy/web', 'nodes', 'zones eu/b'])(
	'"%s" names no namespace',
	(line) => {
		expect(parseCommandLine(words(line)).flags.namespace).toBeUndefined();
	},
);

test.for([
	{line: 'get deploy', want: ['Deployment']},
	{line: 'workloads statefulsets.apps,ds', want: ['StatefulSet', 'DaemonSet']},
	{line: 'workloads', want: []},
])('$line shows workloads of the kinds $want', ({line, want}) => {
	expect(parseCommandLine(words(line)).workloadKinds).toEqual(want);
});

test('a Service is no workload', () => {
	expect(() => parseCommandLine(['get', 'svc'])).toThrow('cannot get "svc"');
});

test('connection flags keep their values under their own names', () => {
	const line =
		'-n shop --context=prod --as-group=a --as-group=b --insecure-skip-tls-verify -s http://x --as me';
	expect(parseCommandLine(words(line)).flags).toMatchObject({
		namespace: 'shop',
		context: 'prod',
		asGroup: ['a', 'b'],
		insecureSkipTlsVerify: true,
		server: 'http://x',
		as: 'me',
	});
	expect(parseCommandLine([]).flags).toMatchObject({asGroup: [], insecureSkipTlsVerify: false});
	expect(parseCommandLine([]).flags.kubeconfig).toBeUndefined();
});

test('values are left as they were typed', () => {
	const {flags} = parseCommandLine(['--token', '0123', '--user', '"quoted"', '--cluster', '1e3']);
	expect([flags.token, flags.user, flags.cluster]).toEqual(['0123', '"quoted"', '1e3']);
});

test('controller flags become settings, under the names of kube-controller-manager', () => {
	const line =
		'--node-monitor-period=2s --node-startup-grace-period=1m --node-monitor-grace-period=40s --node-eviction-rate=1 ' +
		'--secondary-node-eviction-rate=.01 --large-cluster-size-threshold=10 --unhealthy-zone-threshold=0.7 ' +
		'--kube-api-qps=50 --kube-api-burst=100 --kubernetes-version=v1.31.2';
	expect(parseCommandLine(words(line)).controller).toEqual({
		asked: {
			versionFlag: 'v1.31.2',
			flags: {
				nodeMonitorPeriod: 2000,
				nodeStartupGracePeriod: 60_000,
				nodeMonitorGracePeriod: 40_000,
				nodeEvictionRate: 1,
				secondaryNodeEvictionRate: 0.01,
				largeClusterSizeThreshold: 10,
				unhealthyZoneThreshold: 0.7,
				kubeApiQps: 50,
				kubeApiBurst: 100,
			},
		},
		notes: [],
	});
});

test.for([
	{
		line: '--kube-api-qps=0',
		settings: {kubeApiQps: 5, kubeApiBurst: 30},
		notes: [{reason: 'SettingUnusual'}],
	},
	{
		line: '--kube-api-qps=0 --kube-api-burst=0',
		settings: {kubeApiQps: 5, kubeApiBurst: 10},
		notes: [{reason: 'SettingUnusual'}],
	},
	{line: '--kube-api-qps=-1', settings: {kubeApiQps: 0}, notes: []},
	{line: '--kube-api-qps=-1 --kube-api-burst=0', settings: {kubeApiQps: 0, kubeApiBurst: 0}, notes: []},
	{line: '--kube-api-burst=7', settings: {kubeApiBurst: 7}, notes: []},
])('$line means what the controller manager takes it for', ({line, settings, notes}) => {
	const {controller} = parseCommandLine(words(line));
	expect(controller.asked.flags).toEqual(settings);
	expect(controller.notes).toMatchObject(notes);
});

test.for([
	['when', 'To see the outage on one page, and when it ends: kubectl evictwatch status'],
	['save cart-0', 'To see how to save it, and until when: kubectl evictwatch rescue POD|deploy/NAME'],
	['why', 'To see why it is evicted, or why not: kubectl evictwatch explain POD|node/NAME'],
	['Kill n1', 'To see what one more dead node would do: kubectl evictwatch what-if --node-down n1'],
	[
		'drain',
		'To see what kubectl drain would do, and what blocks it: kubectl evictwatch what-if --drain NODE',
	],
] as const)('who types "%s" is told what answers that', ([line, hint]) => {
	expect(() => parseCommandLine(words(line))).toThrow(
		expect.objectContaining({message: `unknown command "${line.split(' ')[0]}"`, hint}),
	);
});

test('no word that is guessed is a command, and each leads to one answer', () => {
	const guesses = questions.flatMap((one) => one.guesses);
	expect(guesses.filter((word) => commands.find(word) !== undefined)).toEqual([]);
	expect(new Set(guesses).size).toBe(guesses.length);
	expect(questions.map(({command}) => commands.find(command))).toEqual(questions.map(({command}) => command));
});

test.for([
	{line: 'pdos', want: 'unknown command "pdos"; did you mean "pods"?'},
	{line: 'frobnicate', want: 'unknown command "frobnicate"'},
	{line: 'expln', want: 'unknown command "expln"; did you mean "explain"?'},
	{line: 'compl', want: 'unknown command "compl"; did you mean "completion"?'},
	{line: 'xs', want: 'unknown command "xs"'},
	{line: 'nodes pod/web', want: 'only pods can be selected by their owner, not nodes'},
	{line: 'get frobs', want: 'cannot get "frobs": want pods, nodes, zones, workloads, events, or KIND/NAME'},
	{line: 'pods,nodes -w', want: 'you may only specify a single resource type with --watch'},
	{
		line: 'rescue shop/cart-0 payments/ledger-0',
		want: 'not all names are in namespace shop, as payments/ledger-0: want a command for each namespace',
	},
	{
		line: 'explain shop/cart-0 web',
		want: 'not all names are in namespace shop, as web: want a command for each namespace',
	},
	{line: 'rescue shop/cart-0 -n bank', want: 'names are in namespace shop, but --namespace is bank'},
	{
		line: 'nodes n1/n2',
		want: '"n1/n2" is not a node name: want node/NAME; choose a namespace with --namespace',
	},
	{
		line: 'pods --output-watch-events',
		want: '--output-watch-events option can only be used with --watch or --watch-only',
	},
	{
		line: 'pods --filename=',
		want: 'invalid argument "" for "--filename" flag: want a file, a folder, or - for standard input',
	},
	{line: 'version/1', want: 'unknown command "version/1"; did you mean "version"?'},
	{
		line: 'pods -o xml',
		want: 'unable to match a printer suitable for the output format "xml", allowed formats are: custom-columns,custom-columns-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,wide,yaml',
	},
	{
		line: 'explain pod/web -o wide',
		want: 'unable to match a printer suitable for the output format "wide", allowed formats are: json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,yaml',
	},
	...[
		'-o go-template={{.kind}}',
		'-o go-template-file=x',
		'-o template',
		'-o templatefile=x',
		'--template {{.}}',
	].map((flags) => ({
		line: `pods ${flags}`,
		want: 'Go templates are not supported; use -o jsonpath, -o custom-columns, -o json',
	})),
	{line: 'explain pod/web -o go-template', want: 'Go templates are not supported; use -o jsonpath, -o json'},
	{
		line: 'demo -o json',
		want: 'unknown flag: --output; it belongs to status, pods, explain, rescue, what-if, workloads, nodes, zones, events, clusters, pressure, settings, replay, report, shadow, version',
	},
	{
		line: 'pods --kube-api-burst=0',
		want: 'invalid argument "0" for "--kube-api-burst" flag: kube-controller-manager does not start with it',
	},
	{line: 'pods web -A', want: 'a resource cannot be retrieved by name across all namespaces'},
	{line: 'pods web -l app=x', want: 'name cannot be provided when a selector is specified'},
	{
		line: 'nodes --field-selector spec.nodeName=x',
		want: 'field label not supported: spec.nodeName; known here: metadata.name',
	},
	{
		line: 'pods --at 2026-01-31T14:00:00Z',
		want: '--at needs --filename: a cluster can only be seen as it is',
	},
	{
		line: 'pods -f x --at yesterday',
		want: 'invalid argument "yesterday" for "--at" flag: want a time such as 2026-01-31T14:07:31Z',
	},
	{
		line: 'pods --node-monitor-grace-period=50',
		want: 'invalid argument "50" for "--node-monitor-grace-period" flag: time: missing unit in duration "50"',
	},
	{
		line: 'pods --node-monitor-period=0',
		want: 'invalid argument "0" for "--node-monitor-period" flag: must be at least 1ms',
	},
	{
		line: 'pods --node-monitor-grace-period=-1s',
		want: 'invalid argument "-1s" for "--node-monitor-grace-period" flag: must not be negative',
	},
	{
		line: 'pods --node-eviction-rate=fast',
		want: 'invalid argument "fast" for "--node-eviction-rate" flag: want a number that is not negative',
	},
	{
		line: 'pods --large-cluster-size-threshold=1.5',
		want: 'invalid argument "1.5" for "--large-cluster-size-threshold" flag: want a whole number that is not negative',
	},
	{
		line: 'pods --kubernetes-version=newest',
		want: 'invalid argument "newest" for "--kubernetes-version" flag: want a version such as v1.36.3, or 1.20',
	},
])('"$line" is refused', ({line, want}) => {
	expect(() => parseCommandLine(words(line))).toThrow(
		expect.objectContaining({name: 'UserError', message: want}),
	);
});

function words(line: string): string[] {
	return line.split(' ').filter((word) => word !== '');
}

test('flags that mean something by their release alone are handed on as they are', () => {
	const line =
		'--enable-taint-manager --controllers=* --controllers -taint-eviction-controller --feature-gates A=true,B=0';
	const {givenFlags} = parseCommandLine(words(line)).controller.asked;
	expect(Object.fromEntries(givenFlags ?? [])).toEqual({
		'enable-taint-manager': 'true',
		controllers: '*,-taint-eviction-controller',
		'feature-gates': 'A=true,B=0',
	});
	const off = parseCommandLine(words('--enable-taint-manager=false --pod-eviction-timeout=1m')).controller;
	expect(off.asked.givenFlags?.get('enable-taint-manager')).toBe('false');
	expect(off.asked.flags).toEqual({podEvictionTimeout: 60_000});
});

test.for([
	'--enable-taint-manager=maybe',
	'--feature-gates=TaintBasedEvictions',
	'--feature-gates=TaintBasedEvictions=off',
	'--pod-eviction-timeout=5',
	'--kubernetes-version=v1',
	'--kubernetes-version=1.20x',
	'--kubernetes-version=0.9',
	'--kubernetes-version=',
])('%s is refused, and says what is wanted', (line) => {
	expect(() => parseCommandLine(words(line))).toThrow(
		expect.objectContaining({name: 'UserError', message: expect.stringContaining('invalid argument')}),
	);
});

test.for([
	'1.20',
	'v1.16',
	'v1.24.17',
	'v1.36.3+k3s1',
	'1.28.5-gke.1200',
	'1.28+',
	'v1.31.4-eks-abc',
	'1.16.0-beta.1',
	'v1.99',
	'2.0',
])('--kubernetes-version=%s is a version', (version) => {
	expect(parseCommandLine(['--kubernetes-version', version]).controller.asked.versionFlag).toBe(version);
});
