import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {nodeListing, podListing, withListing, zoneListing} from '../../../cmd/lists/listings.ts';
import {showLists} from '../../../cmd/lists/listOnce.ts';
import {type PrintedScene, show} from '../../../cmd/lists/show.ts';
import {
	aForecast,
	aNodeForecast,
	aPodForecast,
	aZoneForecast,
	inSeconds,
	now,
} from '../../print/forecasts.ts';
import {printedBy} from '../printed.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

const pods = [
	aPodForecast({labels: {app: 'cart'}}),
	aPodForecast({namespace: 'bank', name: 'vault-0', node: 'n2', zone: 'eu/b', eviction: inSeconds(60)}),
	aPodForecast({name: 'calm', verdict: 'Safe', eviction: null, cause: null}),
];
type Seen = Omit<PrintedScene, 'options' | 'terminal'>;

const scene = (fields = {}, namespace: string | undefined = 'shop'): Seen => ({
	forecast: aForecast({
		pods,
		nodes: [aNodeForecast(), aNodeForecast({name: 'n2'})],
		zones: [aZoneForecast(), aZoneForecast({zone: 'eu/b'})],
		...fields,
	}),
	now,
	namespace,
});

const showPods = (line: string, of: Seen = scene()) =>
	printedBy((terminal) => show(podListing, {...of, options: parseCommandLine(line.split(' ')), terminal}));

const names = (out: string) => out.split('\n').filter(Boolean);

test.for([
	{line: 'pods', want: ['pod/cart-0']},
	{line: 'pods --all', want: ['pod/cart-0', 'pod/calm']},
	{line: 'pods calm', want: ['pod/calm']},
	{line: 'pods pod/cart-0 calm', want: ['pod/cart-0', 'pod/calm']},
	{line: 'pods -l app=cart', want: ['pod/cart-0']},
	{line: 'pods -l app!=cart', want: []},
	{line: 'pods --field-selector spec.nodeName=n2', want: []},
	{line: 'pods --field-selector metadata.namespace=shop,spec.nodeName=n1', want: ['pod/cart-0']},
])('"$line" shows $want of one namespace', async ({line, want}) => {
	const {out, exitCode} = await showPods(`${line} -o name`);
	expect({shown: names(out), exitCode}).toEqual({shown: want, exitCode: 0});
});

test.for([
	{line: 'pods -A', has: true},
	{line: 'pods', has: false},
	{line: 'pods -n shop', has: false},
	{line: 'pods -f dump.json', has: true},
	{line: 'pods -f dump.json -n shop', has: false},
	{line: 'pods -f dump.json -A -n shop', has: true},
])('as with kubectl, "$line" says the namespace: $has', async ({line, has}) => {
	const {out} = await showPods(line);
	expect(out.startsWith('NAMESPACE   NAME ')).toBe(has);
	expect(out.startsWith('NAME ')).toBe(!has);
});

test('a zone that is named without its region is told of', async () => {
	const terminal = recordingTerminal();
	expect(await show(zoneListing, {...scene(), options: parseCommandLine(['zones', 'b']), terminal})).toBe(1);
	expect(terminal.texts().err).toContain('error: zones "b" not found; did you mean eu/b?\n');
});

test('all namespaces are sorted as one', async () => {
	const {out} = await showPods('pods -A -o name', {...scene(), namespace: undefined});
	expect(names(out)).toEqual(['pod/vault-0', 'pod/cart-0']);
});

const elsewhere = 'Pods in other namespaces: 2 will be evicted; see them with -A.\n';

test.for([
	{
		line: 'pods',
		namespace: 'empty',
		err: `No evictions expected in empty namespace; memory and disk of 2 nodes were not queried.\n${elsewhere}`,
	},
	{line: 'pods --all', namespace: 'empty', err: `No resources found in empty namespace.\n${elsewhere}`},
	{line: 'pods -o name', namespace: 'empty', err: ''},
])('"$line" of a namespace without pods says so beside the output', async ({line, namespace, err}) => {
	expect(await showPods(line, scene({}, namespace))).toEqual({exitCode: 0, out: '', err});
});

test('what is not there at all is said in the place of an all-clear, and only of it', async () => {
	const absence = async () => 'There is no namespace "shopp"';
	expect((await showPods('pods', {...scene({}, 'shopp'), absence})).err).toBe(
		`There is no namespace "shopp".\n${elsewhere}`,
	);
	expect((await showPods('pods -l app=nope', {...scene(), absence})).err).toMatch(/^There is no namespace/);
	// A healthy pod exists, though it is not listed.
	const well = [aPodForecast({verdict: 'Safe', eviction: null, cause: null})];
	expect((await showPods('pods', {...scene({pods: well}), absence})).err).toMatch(/^No evictions expected/);
	const {err} = await printedBy((terminal) =>
		show(nodeListing, {...scene({nodes: []}), absence, options: parseCommandLine(['nodes']), terminal}),
	);
	expect(err).toBe('No resources found.\n');
});

const daemon = {
	owner: {kind: 'DaemonSet', name: 'proxy', uid: 'd'},
	verdict: 'Stays',
	eviction: null,
} as const;
const folding = scene({pods: [...pods, aPodForecast({name: 'proxy-1', ...daemon})]});

test.for([
	{line: 'pods', want: ['cart-0'], folded: true},
	{line: 'pods --all', want: ['cart-0', 'proxy-1', 'calm'], folded: false},
	{line: 'pods --verdict stays', want: ['proxy-1'], folded: false},
	{line: 'pods --verdict Stays,Safe', want: ['proxy-1', 'calm'], folded: false},
	{line: 'pods --verdict Scheduled --verdict Held', want: ['cart-0'], folded: false},
	{line: 'pods proxy-1', want: ['proxy-1'], folded: false},
	{line: 'pods node/n1', want: ['cart-0'], folded: true},
])('"$line" shows $want, and counts DaemonSet pods that stay: $folded', async ({line, want, folded}) => {
	const {out, err} = await showPods(`${line} --no-headers`, folding);
	expect(names(out).map((row) => row.split(' ')[0])).toEqual(want);
	expect(err).toBe(
		folded ? '1 DaemonSet pod stays on nodes in trouble; see them with --verdict Stays.\n' : '',
	);
});

test('a verdict that there is not is refused, and names those that there are', async () => {
	await expect(showPods('pods --verdict gone')).rejects.toThrow(
		'invalid argument "gone" for "--verdict" flag: want one of Scheduled, Expected',
	);
});

test('JSON holds DaemonSet pods that stay, too', async () => {
	const {out} = await showPods('pods -o json', folding);
	expect(JSON.parse(out).items).toHaveLength(2);
});

test('several kinds are a table each, or one list', async () => {
	const shown = (line: string) =>
		printedBy((terminal) => showLists({...scene(), options: parseCommandLine(line.split(' ')), terminal}));
	const {out} = await shown('get pods,nodes --no-headers');
	expect(out).toMatch(/^pod\/cart-0 .*\n\nnode\/n1 .*\nnode\/n2 .*\n$/);
	expect((await shown('pods,nodes -o name')).out).toBe('pod/cart-0\nnode/n1\nnode/n2\n');
	const list = JSON.parse((await shown('get pod/cart-0 node/n2 -o json')).out);
	expect(list).toMatchObject({kind: 'List', items: [{kind: 'PodForecast'}, {kind: 'NodeForecast'}]});
	expect(await shown('get pod/nope node/n2 -o json')).toMatchObject({
		exitCode: 1,
		err: 'error: pods "nope" not found\n',
	});
});

test.for([
	{line: 'get pods,nodes -o json --exit-code', code: 2, warns: false},
	{line: 'get pods,nodes -o jsonpath={.kind} --exit-code', code: 2, warns: true},
	{line: 'get pods,nodes -o jsonpath={.kind}', code: 0, warns: true},
	{line: 'get pod/calm node/n9 -o json --exit-code', code: 1, warns: false},
])('"$line" says what is to come by its exit code $code, and warns: $warns', async ({line, code, warns}) => {
	const terminal = recordingTerminal();
	const problems = [{reason: 'LeasesForbidden', message: 'leases may not be read'}];
	const exitCode = await showLists({
		...scene({problems}),
		options: parseCommandLine(line.split(' ')),
		terminal,
	});
	const isWarned = terminal.texts().err.includes('Warning: LeasesForbidden: leases may not be read\n');
	expect({exitCode, isWarned}).toEqual({exitCode: code, isWarned: warns});
});

test('while a node is late or silent an empty table is not calm', async () => {
	const nodes = [
		aNodeForecast({name: 'b2', verdict: 'Late'}),
		aNodeForecast({name: 'b3', verdict: 'Healthy'}),
	];
	const late = {...scene({pods: [], nodes}), namespace: undefined};
	expect((await showPods('pods -A', late)).err).toBe(
		'No eviction is certain, but some are possible: b2 is late.\n',
	);
	expect((await showPods('pods', {...late, namespace: 'shop'})).err).toBe(
		'No eviction is certain in shop namespace, but some are possible: b2 is late.\n',
	);
	// Evictions from a silent node are predicted, so an empty table means that there are none.
	const silent = scene({pods: [], nodes: [aNodeForecast({name: 'b2', verdict: 'Silent'})]});
	expect((await showPods('pods -A', {...silent, namespace: undefined})).err).toMatch(
		/^No evictions expected/,
	);
});

test('an empty list is still a list', async () => {
	const {out, err} = await showPods('pods -o json', scene({pods: []}));
	expect({items: JSON.parse(out).items, err}).toEqual({items: [], err: ''});
});

test('YAML holds the same as JSON', async () => {
	expect((await showPods('pods -o yaml')).out).toMatch(/^apiVersion: evictwatch.dev\/v1\nitems:\n- after:/);
});

test('a name that nothing has is an error, and the others are shown', async () => {
	expect(await showPods('pods cart-0 x\u001b[2J --no-headers')).toEqual({
		exitCode: 1,
		out: expect.stringMatching(/^cart-0 {3}/),
		err: 'error: pods "x^[[2J" not found\n',
	});
});

test.for([
	{name: 'an eviction to come', verdicts: ['Safe', 'Expected'], want: 2},
	{name: 'an overdue one', verdicts: ['Overdue'], want: 2},
	{name: 'too little to tell', verdicts: ['Unsure', 'Safe'], want: 1},
	{name: 'an eviction to come, whatever else is unsure', verdicts: ['Unsure', 'Scheduled'], want: 2},
	{name: 'pods that are held, stay or go already', verdicts: ['Held', 'Stays', 'Terminating'], want: 0},
	{name: 'no pods', verdicts: [], want: 0},
] as const)('with --exit-code, $name is $want', async ({verdicts, want}) => {
	const judged = verdicts.map((verdict) => aPodForecast({verdict}));
	expect((await showPods('pods --exit-code', scene({pods: judged}))).exitCode).toBe(want);
	expect((await showPods('pods', scene({pods: judged}))).exitCode).toBe(0);
});

test('with --exit-code, pods that cannot be listed are 1, and nothing claims that all is well', async () => {
	const problems = [{reason: 'PodsForbidden', message: 'pods is forbidden'}];
	const {exitCode, err} = await showPods('pods --exit-code', scene({pods: [], problems}));
	expect(exitCode).toBe(1);
	expect(err).toContain('Nothing is known of pods: not all may be read.');
	expect(err).not.toContain('No evictions expected');
});

test('what may not be read at all is no empty table, and 1 without --exit-code', async () => {
	const problems = ['Pods', 'Nodes'].map((kind) => ({reason: `${kind}Forbidden`, message: 'forbidden'}));
	const {exitCode, err} = await showPods('pods -A', scene({pods: [], nodes: [], zones: [], problems}));
	expect(exitCode).toBe(1);
	expect(err).toContain('Warning: PodsForbidden: forbidden\n');
	expect(err).toContain('Nothing is known of pods: not all may be read.\n');
});

test('the exit code of nodes and zones is that of their pods', async () => {
	const exitCode = (listing: 'nodes' | 'zones', name: string) => {
		const options = parseCommandLine([listing, name, '--exit-code']);
		const of = scene({pods: [aPodForecast()]});
		return listing === 'nodes'
			? show(nodeListing, {...of, options, terminal: recordingTerminal()})
			: show(zoneListing, {...of, options, terminal: recordingTerminal()});
	};
	expect([await exitCode('nodes', 'n1'), await exitCode('nodes', 'n2')]).toEqual([2, 0]);
	expect([await exitCode('zones', 'eu/a'), await exitCode('zones', 'eu/b')]).toEqual([2, 0]);
});

test.for(['json', 'yaml', 'kyaml'])('as %s the problems stand in the output', async (output) => {
	const problems = [{reason: 'LeasesForbidden', message: 'leases may not be read'}];
	const {out, err} = await showPods(`pods -o ${output}`, scene({problems}));
	expect(out).toContain('LeasesForbidden');
	expect(err).toBe('');
});

test.for(['name', 'wide', 'jsonpath={.kind}', 'custom-columns=N:.node'])(
	'with -o %s they are told on stderr',
	async (output) => {
		const problems = [{reason: 'LeasesForbidden', message: 'leases may not be read'}];
		const {err} = await showPods(`pods -o ${output}`, scene({problems}));
		expect(err).toContain('Warning: LeasesForbidden: leases may not be read\n');
	},
);

test('one object that is asked for by name is what a template gets, a list else', async () => {
	expect((await showPods('pods cart-0 -o jsonpath={.kind}')).out).toBe('PodForecast');
	expect((await showPods('pods cart-0 calm -o jsonpath={.kind}')).out).toBe('PodForecastList');
	expect(await showPods('pods nobody -o jsonpath={.kind}')).toMatchObject({exitCode: 1, out: ''});
	expect(await showPods('pods nobody --ignore-not-found')).toEqual({exitCode: 0, out: '', err: ''});
});

test.for(['json', 'yaml'])(
	'as %s one object that is named is a list, as the contract has it',
	async (output) => {
		const {out} = await showPods(`pods cart-0 -o ${output}`);
		expect(out).toMatch(/kind"?: "?PodForecastList/);
		expect(out).toContain('problems');
	},
);

test.for([
	{line: 'pods --sort-by=.nope', want: 'couldn\'t find any field with path "{.nope}"'},
	{line: 'pods --sort-by={.a', want: 'unexpected path string'},
	{line: 'pods --all --sort-by=.metadata', want: 'unsortable type: object'},
	{line: 'pods -o custom-columns=A', want: 'expected <header>:<json-path-expr>'},
])('"$line" is refused', async ({line, want}) => {
	await expect(showPods(line)).rejects.toThrow(want);
});

async function showEvents(line: string, fields: object) {
	const terminal = recordingTerminal();
	const options = parseCommandLine(line.split(' '));
	const exitCode = await withListing('events', (listing) =>
		show(listing, {...scene(fields), options, terminal}),
	);
	return {exitCode, ...terminal.texts()};
}

test.for(['EventsForbidden', 'EventsUnreadable'])(
	'with %s nobody says that nothing was evicted',
	async (reason) => {
		const {err} = await showEvents('events', {pods: [], problems: [{reason, message: 'not read'}]});
		expect(err).toContain('No resources found in shop namespace.');
		expect(err).not.toContain('No evictions');
	},
);

test('of a pod that nobody deleted there is no event, which is no error', async () => {
	const {err, exitCode} = await showEvents('events web-0', {pods: []});
	expect({err, exitCode}).toEqual({
		err: 'No evictions of web-0 in the last hour in shop namespace.\n',
		exitCode: 0,
	});
	const json = await showEvents('events web-0 -o json', {pods: []});
	expect(JSON.parse(json.out)).toMatchObject({kind: 'PodDeletionList', items: []});
	expect(json.exitCode).toBe(0);
});

test.for([
	{names: '', others: ['bank'], want: 'In namespace bank 1 pod was evicted; see it with -n bank.\n'},
	{
		names: '',
		others: ['bank', 'vault'],
		want: 'In other namespaces 2 pods were evicted; see them with -A.\n',
	},
	{
		names: ' of-bank',
		others: ['bank', 'vault'],
		want: 'In namespace bank 1 pod was evicted; see it with -n bank.\n',
	},
	{names: ' nobody', others: ['bank'], want: ''},
])('"events$names" tells of evictions in $others, and how they are shown', async ({names, others, want}) => {
	const happenings = others.map((namespace) => ({
		...{at: now, namespace, name: `of-${namespace}`, uid: namespace, node: 'n1'},
		...{said: undefined, isEviction: true, isInside: undefined, isBefore: true},
	}));
	const {err} = await showEvents(`events${names}`, {pods: [], happenings});
	const whose = names === '' ? '' : ` of${names}`;
	expect(err).toBe(`No evictions${whose} in the last hour in shop namespace.\n${want}`);
});

test('evictions that are still to come elsewhere are not among the events: their own command is named', async () => {
	const {err} = await showEvents('events', {});
	expect(err).toContain('see them with pods -A.');
});

test('columns about predictions are only shown where an eviction has one, or another cause', async () => {
	const past = {at: now, namespace: 'shop', name: 'web-0', uid: 'w', node: 'n1'};
	const before = {
		...past,
		...{firstPrediction: undefined, isEviction: true, isInside: undefined, isBefore: true},
	};
	const titles = async (happenings: readonly object[], line = 'events') => {
		const {out} = await showEvents(line, {pods: [], happenings});
		return out.split('\n')[0]?.split(/ +/);
	};
	expect(await titles([before])).toEqual(['DELETED', 'NAME', 'NODE']);
	expect(await titles([before], 'events -o wide')).toEqual([
		...['DELETED', 'NAME', 'NODE', 'PREDICTED', 'DIFFERENCE'],
	]);
	expect(await titles([before, {...before, uid: 'x', actor: {kind: 'Kubelet'}}])).toEqual([
		...['DELETED', 'NAME', 'NODE', 'DIFFERENCE'],
	]);
});
