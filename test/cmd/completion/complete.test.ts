import {expect, test, vi} from 'vitest';
import {connectionFlags} from '../../../cmd/args/flagGroups/connectionFlags.ts';
import {findNames, patienceOf} from '../../../cmd/completion/clusterNames.ts';
import {complete} from '../../../cmd/completion/complete.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

const known: Readonly<Record<string, readonly string[]>> = {
	pods: ['cart-0', 'cart-1', 'web-0'],
	nodes: ['a1', 'b1'],
	zones: ['<none>', 'eu/a', 'eu/b'],
	namespaces: ['bank', 'shop'],
	deployments: ['checkout'],
	devices: ['gpu.example.com/n1/gpu-0', 'gpu.example.com/racks/r1/gpu-0', 'nic.example.com/n1/nic-0'],
	contexts: ['prod', 'test'],
	clusters: ['one'],
	users: ['me'],
};

/** The completions of a line's last word, which may be empty, and the directive for the shell. */
async function offered(...words: string[]) {
	const terminal = recordingTerminal();
	await complete(words, terminal, async (source) => known[source] ?? []);
	const lines = terminal.texts().out.trimEnd().split('\n');
	return {offers: lines.slice(0, -1).map((line) => line.split('\t')[0]), directive: lines.at(-1)};
}

test.for<{words: readonly string[]; offers: readonly string[]}>([
	{words: ['p'], offers: ['pods', 'pressure']},
	{words: ['pods', ''], offers: ['cart-0', 'cart-1', 'web-0']},
	{words: ['pods', 'c'], offers: ['cart-0', 'cart-1']},
	{words: ['pods', 'cart-0', 'c'], offers: ['cart-1']},
	{words: ['po', '-n', 'shop', 'w'], offers: ['web-0']},
	{words: ['pods', 'pod/c'], offers: ['pod/cart-0', 'pod/cart-1']},
	{words: ['pod/c'], offers: ['pod/cart-0', 'pod/cart-1']},
	{words: ['node/'], offers: ['node/a1', 'node/b1']},
	{words: ['nodes', 'b'], offers: ['b1']},
	{words: ['zones', 'eu/'], offers: ['eu/a', 'eu/b']},
	{
		words: ['explain', ''],
		offers: ['pod/', 'node/', 'zone/', 'deploy/', 'sts/', 'ds/', 'cart-0', 'cart-1', 'web-0'],
	},
	{words: ['explain', 'deploy/c'], offers: ['deploy/checkout']},
	{words: ['rescue', 'deployments.apps/'], offers: ['deployments.apps/checkout']},
	{words: ['explain', 'svc/'], offers: []},
	{words: ['get', 'pods', 'w'], offers: ['web-0']},
	{words: ['explain', 'no'], offers: ['node/']},
	{words: ['explain', 'zone/eu/'], offers: ['zone/eu/a', 'zone/eu/b']},
	{words: ['demo', 'rack'], offers: ['rack-dies']},
	{words: ['help', 'set'], offers: ['settings']},
	{words: ['completion', 'z'], offers: ['zsh']},
	{words: ['settings', 'node-ev'], offers: ['node-eviction-rate']},
	{words: ['what-if', '--device-taint', 'nic'], offers: ['nic.example.com/n1/nic-0']},
	{words: ['what-if', '--device-taint=gpu.example.com/r'], offers: ['gpu.example.com/racks/r1/gpu-0']},
	{words: ['pods', '-n', ''], offers: ['bank', 'shop']},
	{words: ['pods', '--namespace', 's'], offers: ['shop']},
	{words: ['pods', '--namespace=s'], offers: ['shop']},
	{words: ['--context', ''], offers: ['prod', 'test']},
	{words: ['clusters', '--contexts', 'prod,t'], offers: ['prod,test']},
	{words: ['clusters', '--contexts=p'], offers: ['prod']},
	{words: ['pods', '--user='], offers: ['me']},
	{words: ['pods', '--cluster', 'o'], offers: ['one']},
	{words: ['pods', '-o', 'js'], offers: ['json', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file']},
	{words: ['pods', '-Ao', 'w'], offers: ['wide']},
	{
		words: ['version', '-o', ''],
		offers: ['json', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file', 'kyaml', 'yaml'],
	},
	{words: ['demo', '--theme', 'd'], offers: ['dark']},
	{words: ['pods', '--all=t'], offers: ['true']},
	{words: ['pods', '--sort'], offers: ['--sort-by']},
	{words: ['pods', '--sort-by', '.metadata.name', '--sort'], offers: []},
	{words: ['pods', '--as-group', 'a', '--as-g'], offers: ['--as-group']},
	{words: ['settings', '--kubelet', ''], offers: ['a1', 'b1']},
	{words: ['version', '--wat'], offers: []},
	{words: ['frobnicate', ''], offers: []},
	{words: ['pods', '--', '-n'], offers: []},
	{words: ['pods', '-f', '-', 'c'], offers: ['cart-0', 'cart-1']},
	{words: ['pods', '--token', ''], offers: []},
])('$words is completed with $offers', async ({words, offers}) => {
	expect(await offered(...words)).toEqual({offers, directive: ':4'});
});

test.for<{words: readonly string[]; directive: string}>([
	{words: ['pods', '-f', 'du'], directive: ':0'},
	{words: ['pods', '--kubeconfig='], directive: ':0'},
	{words: ['completion', '--install-shim='], directive: ':16'},
])('$words leaves it to the shell', async ({words, directive}) => {
	expect(await offered(...words)).toEqual({offers: [], directive});
});

test('a dash offers every flag of the command, with its letter and what it means', async () => {
	const terminal = recordingTerminal();
	await complete(['version', '-'], terminal, async () => []);
	const {out} = terminal.texts();
	expect(out).toContain('-n\tThe namespace scope for this request.\n--namespace\tThe namespace scope');
	for (const flag of Object.keys(connectionFlags)) expect(out).toContain(`\n--${flag}\t`);
	expect(out).not.toContain('--watch');
});

test('the first word may be any command, and is told of in its own words', async () => {
	const terminal = recordingTerminal();
	await complete([''], terminal, async () => []);
	expect(terminal.texts().out).toMatch(/^demo\tPlay a simulated outage; no cluster is needed\nstatus\t/);
});

test.for([
	{name: 'flags that make no sense', whole: ['--nonsense']},
	{name: 'a server that is none', whole: ['-s', 'http://127.0.0.1:1']},
	{name: 'a dump, which is not read', whole: ['--filename=dump.json']},
])('with $name there is nothing, and no error', async ({whole}) => {
	expect(await findNames('pods', {whole}, 2000)).toEqual([]);
});

test('devices are found as what-if names them', async () => {
	await using server = await FakeApiServer.start();
	const spec = {driver: 'gpu.example.com', pool: {name: 'n1'}, devices: [{name: 'gpu-1'}, {name: 'gpu-0'}]};
	server.apply('resourceslices', {metadata: {name: 'n1-gpus'}, spec});
	const found = await findNames('devices', {whole: [`--server=${server.url}`]}, 5000);
	expect(found).toEqual(['gpu.example.com/n1/gpu-0', 'gpu.example.com/n1/gpu-1']);
});

test('names that do not come in time are not waited for', async () => {
	const {createServer} = await import('node:http');
	const server = createServer(() => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as {port: number};
	const begun = performance.now();
	expect(await findNames('nodes', {whole: [`--server=http://127.0.0.1:${port}`]}, 100)).toEqual([]);
	expect(performance.now() - begun).toBeLessThan(2000);
	server.closeAllConnections();
	server.close();
});

test('how long to wait can be set, in milliseconds', () => {
	vi.unstubAllEnvs();
	expect(patienceOf({})).toBe(500);
	expect(patienceOf({EVICTWATCH_COMPLETION_TIMEOUT: '2000'})).toBe(2000);
	expect(patienceOf({EVICTWATCH_COMPLETION_TIMEOUT: 'long'})).toBe(500);
});
