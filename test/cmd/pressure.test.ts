import {afterEach, beforeEach, expect, test} from 'vitest';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {liveReport, pressure} from '../../cmd/pressure/pressureAction.ts';
import {pressureReport} from '../../cmd/pressure/pressureReport.ts';
import {connect} from '../../src/cluster/cluster.ts';
import {answerStatus, FakeApiServer} from '../support/fakeApiServer.ts';
import {serveKubelet} from '../support/fakeKubelet.ts';
import {memoryLeft, memoryStats} from '../support/pressure.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {bareEnvironment, instantTiming, timeByLooks} from '../support/testEnvironment.ts';
import {printedBy} from './printed.ts';
import {recordingTerminal} from './recordingTerminal.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
	for (const [name, status] of [
		['n1', 'True'],
		['n2', 'False'],
	]) {
		const conditions = [{type: 'MemoryPressure', status, lastTransitionTime: '2026-01-01T00:00:00Z'}];
		server.apply('nodes', {metadata: {name: name ?? ''}, spec: {}, status: {conditions}});
	}
	for (const [name, memory] of [
		['cart', '100Mi'],
		['shop', '3Gi'],
	]) {
		server.apply('pods', {
			metadata: {name: name ?? '', namespace: 'eu', uid: `uid-${name}`},
			spec: {nodeName: 'n1', containers: [{name: 'app', resources: {requests: {memory}}}]},
			status: {phase: 'Running'},
		});
	}
});
afterEach(() => server[Symbol.asyncDispose]());

const kubeletconfig = {
	evictionHard: {'memory.available': '500Mi'},
	evictionPressureTransitionPeriod: '5m0s',
	enforceNodeAllocatable: [],
	localStorageCapacityIsolation: true,
};
const low = {...memoryLeft('300Mi', [memoryStats('cart', '900Mi'), memoryStats('shop', '2Gi')])};

async function run(line: string) {
	const words = `${line} -s ${server.url}`.split(' ');
	return printedBy((terminal) => pressure(parseCommandLine(words), terminal));
}

test('the nodes under pressure, what they have left, and who goes next', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {exitCode, out, err} = await run('pressure');
	expect(exitCode).toBe(0);
	const text = out
		// Line breaks depend on how long the condition has been True.
		.replaceAll(/\n {15}/g, ' ')
		.replace(/measured \d+s/, 'measured 0s')
		.replaceAll(/for \d[\dhd]+;/g, 'for a while;')
		.replace(
			/ends about \S+,\s+5m after evictions free enough \(about \S+\)/,
			'ends about TIME, 5m after evictions free enough',
		)
		// On a slow machine some of the ten seconds have passed.
		.replace(/next pass within \d+s/, 'next pass within 10s')
		.replace(/first, in \S+s \(\S+\)/, 'first, in 0s-10s (TIMES)')
		.replace(/^NEXT +IN +AT +FOR/m, 'NEXT      IN       AT      FOR')
		.replace(/^(eu\/cart +0s-)\ds? +/m, '$19s   ')
		.replace(/(0s-1?\ds?) +[\d:]+Z\/[\d:]+Z +/, '$1   TIMES   ');
	expect(text.replaceAll(/0s-1?\ds?/g, '0s-10s').split('\n')).toEqual([
		"Node n1: memory.available is below 500Mi; measured 0s ago, the kubelet's next pass within 10s",
		'Next:          eu/cart is evicted first, in 0s-10s (TIMES)',
		'Ends:          MemoryPressure has been True for a while; it ends about TIME, 5m after evictions free enough',
		'',
		'SIGNAL             AVAILABLE   THRESHOLD   LEFT     TREND       CROSSED',
		'memory.available   300Mi       <500Mi      -200Mi   <unknown>   now',
		'',
		'NEXT      IN       AT      FOR                TERMINATION-GRACE   CERTAIN',
		'eu/cart   0s-10s   TIMES   memory.available   1s                  yes',
		'',
		'PLACE FOR memory.available   POD       USES    REQUEST   OVER BY   PRIORITY',
		'1                            eu/cart   900Mi   100Mi     800Mi     0',
		'2                            eu/shop   2Gi     3Gi       -         0',
		'The eviction of one pod frees enough, if each gives back what it uses.',
		'',
	]);
	// Its eviction does not depend on a trend.
	expect(err).not.toMatch(/FewStatistics|n2/);
});

test('where no node shows a pressure condition, it is said what to type to look at one', async () => {
	for (const name of ['n1', 'n2']) {
		const conditions = [{type: 'Ready', status: name === 'n2' ? 'True' : 'Unknown'}];
		server.apply('nodes', {metadata: {name}, spec: {}, status: {conditions}});
	}
	const {out, err} = await run('pressure');
	expect(out).toBe('');
	expect(err).toBe(
		`No node shows a pressure condition; look at one anyway: kubectl evictwatch pressure n2 -s ${server.url}\nReady nodes: n2. At all of them: kubectl evictwatch pressure --all-kubelets -s ${server.url}\n`,
	);
});

test('before any node shows a pressure condition, all that are ready can be asked: the one nearest to a threshold comes first', async () => {
	for (const [name, left] of [
		['n1', '4Gi'],
		['n2', '600Mi'],
		['n3', '1Gi'],
	] as const) {
		const conditions = [{type: 'Ready', status: name === 'n3' ? 'Unknown' : 'True'}];
		server.apply('nodes', {metadata: {name}, spec: {}, status: {conditions}});
		serveKubelet(server, name, {summary: () => memoryLeft(left), kubeletconfig}, Date.now);
	}
	const {out} = await run('pressure --all-kubelets');
	expect([...out.matchAll(/^Node (n\d)/gm)].map(([, name]) => name)).toEqual(['n2', 'n1']);
	const {out: named} = await run('pressure n1 --all-kubelets');
	expect([...named.matchAll(/^Node (n\d)/gm)].map(([, name]) => name)).toEqual(['n1']);
});

test('the same as JSON', async () => {
	serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
	const {out} = await run('pressure n1 -o json');
	expect(flawsOf(JSON.parse(out))).toEqual([]);
	expect(JSON.parse(out)).toMatchObject({
		apiVersion: 'evictwatch.dev/v1',
		kind: 'PressureForecastList',
		items: [
			{
				kind: 'PressureForecast',
				metadata: {name: 'n1'},
				conditions: [{type: 'MemoryPressure', status: true, thresholdMet: true}, {}, {}],
				signals: [
					{
						signal: 'memory.available',
						available: 300 * 1024 * 1024,
						thresholds: [{hard: true, quantity: '500Mi', crossing: {type: 'met', at: null}}],
						victims: [{name: 'cart', place: 1, stage: 'overRequest'}, {name: 'shop'}],
					},
				],
				evictions: [{namespace: 'eu', name: 'cart', certain: true, cause: {kind: 'NodePressure'}}],
			},
		],
	});
});

test.for(['yaml', 'jsonpath={.items[0].evictions[0].name}'])(
	'documents print with -o %s as well',
	async (output) => {
		serveKubelet(server, 'n1', {summary: () => low, kubeletconfig}, Date.now);
		const {out} = await run(`pressure n1 -o ${output}`);
		expect(out).toMatch(/kind: PressureForecastList|^cart|PressureForecast/);
	},
);

test('where the kubelet may not be asked, that is said, and the conditions are still told', async () => {
	serveKubelet(server, 'n1', {summary: () => 403, kubeletconfig: 403}, Date.now);
	const {exitCode, out, err} = await run('pressure');
	expect(exitCode).toBe(0);
	expect(out).toContain("Node n1: its kubelet's statistics cannot be read");
	expect(out).toContain('MemoryPressure has been True');
	expect(err).toContain('SummaryForbidden');
	expect(err).toContain('NoConfiguration');
});

test('where the kubelet does not answer, that is said once for its statistics and once for its configuration', async () => {
	serveKubelet(server, 'n1', {summary: () => 503, kubeletconfig: 503}, Date.now);
	const {err} = await run('pressure');
	expect(err.match(/Unreadable: /g)).toHaveLength(2);
	expect(err).not.toMatch(/NoStatistics|NoConfiguration/);
});

test('a node that is named is looked at without any condition, one that does not exist is an error', async () => {
	serveKubelet(server, 'n2', {summary: () => memoryLeft('4Gi'), kubeletconfig}, Date.now);
	const {exitCode, out, err} = await run('pressure n2 n3');
	expect(exitCode).toBe(1);
	expect(out).toContain('Node n2: no threshold is crossed');
	expect(err).toContain('error: nodes "n3" not found');
});

test('with no node under pressure there is nothing to look at, and no kubelet is asked', async () => {
	server.remove('nodes', 'n1');
	const {out, err} = await run('pressure');
	expect([out, err]).toEqual(['', expect.stringContaining('No node shows a pressure condition')]);
	expect(server.asked.some(({url}) => url.pathname.includes('/proxy/'))).toBe(false);
});

test('the whole order and the assumptions come with -o wide', async () => {
	serveKubelet(server, 'n2', {summary: () => memoryLeft('4Gi'), kubeletconfig}, Date.now);
	const {out} = await run('pressure n2 -o wide --no-headers');
	expect(out).toContain('Assumptions:');
	expect(out).not.toContain('SIGNAL');
});

test('looks one after another make a trend, the configuration is asked for once, and a warning is not repeated', async () => {
	const startedAt = Date.now() - 60_000;
	let looks = 0;
	const summary = () => {
		const {node, pods} = memoryLeft(`${900 - looks * 100}Mi`, []);
		return {node: {memory: {...node.memory, time: startedAt + looks++ * 10_000}}, pods};
	};
	serveKubelet(server, 'n2', {summary, kubeletconfig}, Date.now);
	const terminal = recordingTerminal();
	const cluster = await connect({server: server.url}, bareEnvironment());
	const report = liveReport(cluster, pressureReport(parseCommandLine(['pressure', 'n2', '-w']), terminal));
	for (let look = 0; look < 3; look++) await report.print();
	await cluster.close();
	const {out, err} = terminal.texts();
	expect(out).toContain('memory.available   800Mi       <500Mi      300Mi   <unknown>   <unknown>');
	expect(out).toContain('-600Mi/min');
	expect(out.match(/When exactly: {2}with three measurements/g)).toHaveLength(2);
	expect(err.match(/FileSystemsGuessed/g)).toHaveLength(1);
	expect(server.asked.filter(({url}) => url.pathname.endsWith('/configz'))).toHaveLength(1);
});

test('a watch goes on when the server fails for a while, and says since when it is blind', async () => {
	await using server = await FakeApiServer.start();
	const terminal = recordingTerminal();
	const cluster = await connect({server: server.url}, bareEnvironment());
	const report = liveReport(cluster, pressureReport(parseCommandLine(['pressure', '-w']), terminal));
	let isRefused = true;
	server.intercept((_, response) => {
		if (isRefused) answerStatus(response, 401, 'Unauthorized');
		return isRefused;
	});
	await expect(report.printAgain()).rejects.toThrow('Unauthorized');
	isRefused = false;
	await report.printAgain();
	isRefused = true;
	await report.printAgain();
	await report.printAgain();
	await cluster.close();
	const blind = terminal
		.texts()
		.err.split('\n')
		.filter((line) => line.includes('WatchInterrupted'));
	expect(blind).toEqual([
		expect.stringMatching(
			/^Warning: WatchInterrupted: watches have been interrupted since \d\d:\d\d:\d\dZ: .*401|Unauthorized/,
		),
	]);
});

test('between two looks, a watch says that the server answers nothing any more, once for each silence', async () => {
	await using server = await FakeApiServer.start();
	const terminal = recordingTerminal();
	const timing = instantTiming(timeByLooks());
	const cluster = await connect({server: server.url}, bareEnvironment(), timing);
	const report = liveReport(cluster, pressureReport(parseCommandLine(['pressure', '-w']), terminal));
	const end = new AbortController();
	const blind = () => terminal.texts().err.match(/^Warning: WatchInterrupted: .*$/gm) ?? [];
	await report.printAgain();
	const listening = report.listen(end.signal);
	for (const silences of [1, 2]) {
		const asked = () => server.asked.filter(({url}) => url.searchParams.get('limit') === '1').length;
		const before = asked();
		await expect.poll(asked).toBeGreaterThan(before);
		const thaw = server.intercept(() => true);
		await expect.poll(() => blind().length).toBe(silences);
		thaw();
		await report.printAgain();
	}
	end.abort();
	await listening;
	await cluster.close();
	for (const line of blind()) expect(line).toMatch(/since \d\d:\d\d:\d\dZ: data is from then$/);
});
