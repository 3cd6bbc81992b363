import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {compareMetrics, fetchControllerMetrics} from '../../../src/shadow/metrics/controllerMetrics.ts';
import {parseExposition} from '../../../src/shadow/metrics/exposition.ts';
import {aForecast, aZoneForecast} from '../../print/forecasts.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

// The format of kube-controller-manager v1.36; the label of a zone contains a NUL.
const page = `# HELP node_collector_zone_size [ALPHA] Gauge measuring number of registered Nodes per zones.
# TYPE node_collector_zone_size gauge
node_collector_zone_size{zone="eu:\u0000:a"} 4
node_collector_zone_size{zone="eu:\u0000:b"} 2
node_collector_zone_size{zone=""} 7
node_collector_zone_health{zone="eu:\u0000:a"} 75
node_collector_unhealthy_nodes_in_zone{zone="eu:\u0000:a"} 0
go_goroutines 5
`;

test("what differs from the controllers' own values is told by zone, as people name it", () => {
	const zones = [
		aZoneForecast({zone: 'eu/a', size: 4, notReady: 1}),
		aZoneForecast({zone: 'eu/b', size: 3}),
		aZoneForecast({zone: '<none>', size: 7}),
		aZoneForecast({zone: 'eu/new', size: 1}),
	];
	expect(compareMetrics(page, aForecast({zones}))).toEqual([
		[{metric: 'zone_size', zone: 'eu/a'}, 0],
		[{metric: 'zone_size', zone: 'eu/b'}, 1],
		[{metric: 'zone_size', zone: '<none>'}, 0],
		[{metric: 'unhealthy_nodes_in_zone', zone: 'eu/a'}, 1],
		[{metric: 'zone_health', zone: 'eu/a'}, 0],
	]);
});

test('one that does not lead tells nothing of zones, and nothing differs', () => {
	expect(compareMetrics('go_goroutines 5\n', aForecast({zones: [aZoneForecast()]}))).toEqual([]);
});

test.for([
	{text: 'a 1', want: [[{}, 1]]},
	{text: 'a{} 1 1700000000000', want: [[{}, 1]]},
	{text: 'a{x="}",y="\\"\\\\\\n,"} -1e3', want: [[{x: '}', y: '"\\\n,'}, -1000]]},
	{text: 'a +Inf', want: [[{}, Number.POSITIVE_INFINITY]]},
	{text: 'a NaN', want: undefined},
	{text: 'a', want: undefined},
	{text: '# a 1', want: undefined},
	{text: 'ab 1', want: undefined},
])('reads $text', ({text, want}) => {
	expect(parseExposition(`x 1\n${text}\n`, new Set(['a'])).get('a')).toEqual(want);
});

test('they are asked for, and a refusal is an error', async () => {
	let [status, answer] = [200, page];
	const server = createServer((_, response) => response.writeHead(status).end(answer)).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
	const target = {url, tokenFile: undefined, readAuthorities: async () => [], trustsAnyone: false};
	expect(await fetchControllerMetrics(target)).toBe(page);
	answer = 'x'.repeat(17 * 2 ** 20);
	await expect(fetchControllerMetrics(target)).rejects.toThrow('the page has more than 16777216 characters');
	status = 403;
	await expect(fetchControllerMetrics(target)).rejects.toThrow('403');
	server.close();
	server.closeAllConnections();
	await expect(fetchControllerMetrics(target)).rejects.toThrow();
});

test('they get the token of their own file, and a redirect takes it to nobody else', async () => {
	using folder = new TemporaryFolder();
	const tokens: (string | undefined)[] = [];
	const server = createServer((request, response) => {
		tokens.push(request.headers.authorization);
		if (request.url === '/metrics') response.writeHead(302, {location: '/elsewhere'});
		response.end(page);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
	const tokenFile = folder.write('token', 'of-its-own\n');
	const target = {url, tokenFile, readAuthorities: async () => [], trustsAnyone: false};
	await expect(fetchControllerMetrics(target)).rejects.toThrow('302');
	expect(tokens).toEqual(['Bearer of-its-own']);
	server.close();
	server.closeAllConnections();
});
