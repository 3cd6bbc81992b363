import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {type Listing, nodeListing, podListing, zoneListing} from '../../../cmd/lists/listings.ts';
import {show} from '../../../cmd/lists/show.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {recordingTerminal} from '../../cmd/recordingTerminal.ts';
import {
	aForecast,
	aNodeForecast,
	aPodForecast,
	aZoneForecast,
	inSeconds,
	now,
} from '../../print/forecasts.ts';
import {hasKubectl, type KubectlView, kubectlView, resourceOf} from '../../support/kubectlView.ts';

const held = {by: 'zone eu/a', since: null, releasedBy: '2 nodes', ifReleasedNow: inSeconds(5, 9)};
const forecast: Forecast = aForecast({
	pods: [
		aPodForecast({
			labels: {app: 'cart', 'example.com/tier': 'a'},
			owner: {kind: 'StatefulSet', name: 'cart', uid: 'u'},
		}),
		aPodForecast({
			namespace: 'bank',
			name: 'vault-0',
			uid: 'v',
			node: 'n2',
			zone: '',
			eviction: inSeconds(60),
		}),
		aPodForecast({
			name: 'a',
			uid: 'a',
			node: '',
			verdict: 'Held',
			eviction: null,
			held,
			cause: null,
			because: [],
		}),
		aPodForecast({
			name: 'web-57b9',
			uid: 'w',
			labels: {app: 'web'},
			eviction: inSeconds(90, null),
			after: null,
		}),
		aPodForecast({name: 'evil', uid: 'e', zone: 'eu/\x1b[31mred\nsecond line'}),
		aPodForecast({name: 'wide', uid: 'z', zone: '東京/一番', node: '😀'}),
	],
	nodes: [
		aNodeForecast({labels: {tier: 'a'}}),
		aNodeForecast({
			name: 'n2',
			verdict: 'Silent',
			ready: 'Unknown',
			unknown: inSeconds(14, 24),
			lastRenewal: null,
		}),
	],
	zones: [
		aZoneForecast({queue: ['n1', 'n2', 'n3', 'n4']}),
		aZoneForecast({zone: 'eu/b', rate: 0, nextTaint: null}),
	],
});

const views = new Map<string, KubectlView>();

beforeAll(async () => {
	if (!hasKubectl) return;
	for (const listing of [podListing, nodeListing, zoneListing] as unknown as readonly Listing<never>[]) {
		const {kind, plural, itemsOf} = listing;
		const items = itemsOf(forecast).toSorted(kind.compare);
		views.set(plural, await kubectlView({kind, items, now}));
	}
});
afterAll(() => {
	for (const view of views.values()) view.close();
});
beforeEach((context) => {
	context.skip(!hasKubectl, 'kubectl is not installed');
});

const listings = {pods: podListing, nodes: nodeListing, zones: zoneListing} as const;

async function ours(command: keyof typeof listings, args: readonly string[]) {
	const terminal = recordingTerminal();
	const options = parseCommandLine([command, ...args]);
	const namespace = args.includes('-A') ? undefined : 'shop';
	await show(listings[command] as Listing<unknown>, {forecast, now, namespace, options, terminal});
	return terminal.texts().out;
}

async function kubectls(command: keyof typeof listings, args: readonly string[]) {
	const {kind} = listings[command];
	const printed = await views.get(command)?.run(['get', resourceOf(kind as never), ...args]);
	expect(printed?.err).toBe('');
	return printed?.out;
}

const template = '{range .items[*]}{.metadata.name}{"\\t"}{.verdict}{"\\t"}{.eviction.earliest}{"\\n"}{end}';

test.for<{command: keyof typeof listings; args: readonly string[]}>([
	{command: 'pods', args: ['-A']},
	{command: 'pods', args: ['-A', '-o', 'wide']},
	{command: 'pods', args: ['-A', '--no-headers']},
	{command: 'pods', args: ['-A', '--show-labels']},
	{command: 'pods', args: ['-A', '-L', 'app,example.com/tier', '-L', 'nope']},
	{command: 'pods', args: ['-A', '--sort-by=.metadata.name']},
	{command: 'pods', args: ['-A', '--sort-by', '{.eviction.earliest}', '--no-headers']},
	{command: 'pods', args: ['-A', '-o', `jsonpath=${template}`]},
	{command: 'pods', args: ['-A', '-o', 'jsonpath-as-json={.items[*].metadata.name}']},
	{command: 'pods', args: ['-A', '-o', 'jsonpath', '--template', template]},
	{command: 'pods', args: ['-A', '-o', 'custom-columns=NAME:.metadata.name,BECAUSE:.because,BY:held.by']},
	{command: 'pods', args: ['-A', '-o', 'custom-columns=N:.metadata.name', '--no-headers', '--sort-by=.node']},
	{command: 'nodes', args: []},
	{command: 'nodes', args: ['-o', 'wide', '--show-labels']},
	{command: 'nodes', args: ['n2', '-o', 'jsonpath={.verdict} {.unknown.latest}']},
	{command: 'zones', args: []},
	{command: 'zones', args: ['-o', 'wide', '--no-headers']},
	{command: 'zones', args: ['-o', 'jsonpath={.items[?(@.zone=="eu/b")].metadata.name}']},
])('$command $args is printed as kubectl prints it', async ({command, args}) => {
	const [mine, kubectl] = await Promise.all([ours(command, args), kubectls(command, args)]);
	expect(mine).toBe(kubectl);
	expect(mine.length).toBeGreaterThan(0);
});

test('-o json and -o yaml of one item hold what kubectl prints of it', async () => {
	const [json, yaml] = await Promise.all([
		kubectls('nodes', ['n2', '-o', 'json']),
		kubectls('nodes', ['n2', '-o', 'yaml']),
	]);
	const mine = JSON.parse(await ours('nodes', ['n2', '-o', 'json']));
	expect(mine.items.map((item: object) => ({apiVersion: mine.apiVersion, ...item}))).toEqual([
		JSON.parse(json ?? ''),
	]);
	const indented = (await ours('nodes', ['n2', '-o', 'yaml']))
		.split('items:\n')[1]
		?.split('\nkind: NodeForecastList')[0];
	const bare = (yaml ?? '').replace(/^apiVersion: .*\n/, '').trimEnd();
	expect(indented?.replace(/^- /, '  ').replace(/^ {2}/gm, '')).toBe(bare);
});

test('an unknown format is refused in the same words', async () => {
	const refused = await views.get('pods')?.run(['get', 'podforecasts', '-o', 'xml']);
	const [words] =
		/unable to match a printer suitable for the output format "xml", allowed formats are: /.exec(
			refused?.err ?? '',
		) ?? ['nothing of the kind'];
	expect(() => parseCommandLine(['pods', '-o', 'xml'])).toThrow(words);
});
