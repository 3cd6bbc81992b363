import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {stringify} from 'yaml';
import {second} from '../../../src/core/time/instant.ts';
import {rulesOf} from '../../shadow/support/promtool.ts';
import type {Check} from '../judge.ts';
import {freePorts} from '../processes.ts';
import {until} from './program.ts';

/** Whether a program is installed. */
export const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Starts a server of Prometheus' family, and ends it with the stack. */
export function serve(stack: AsyncDisposableStack, program: string, args: readonly string[]): void {
	const child: ChildProcess = spawn(program, args, {stdio: 'ignore'});
	stack.defer(async () => {
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		await exit;
	});
}

type Answer = {readonly data: {readonly result: readonly {readonly value: readonly [number, string]}[]}};

/** A real Prometheus scrapes the shadow: it reads OpenMetrics, which promtool does not. */
export async function checkByPrometheus(url: string, folder: string): Promise<readonly Check[]> {
	if (!has('prometheus')) return [];
	await using stack = new AsyncDisposableStack();
	const [port = 0] = await freePorts(1);
	mkdirSync(folder, {recursive: true});
	const targets = [{targets: [new URL(url).host]}];
	const jobs = [{job_name: 'evictwatch', scrape_interval: '1s', static_configs: targets}];
	writeFileSync(join(folder, 'prometheus.yaml'), stringify({scrape_configs: jobs}));
	serve(stack, 'prometheus', [
		`--config.file=${join(folder, 'prometheus.yaml')}`,
		`--storage.tsdb.path=${join(folder, 'data')}`,
		`--web.listen-address=127.0.0.1:${port}`,
	]);
	const ask = async (query: string) => {
		const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({query})}`);
		return ((await answer.json()) as Answer).data.result.map(({value}) => value[1]);
	};
	await until('Prometheus has scraped', async () => (await ask('up{job="evictwatch"}')).length > 0);
	await until('a second time', async () => Number((await ask('count_over_time(up[1m])'))[0]) > 2);
	const [up, zones, states, type] = [
		await ask('up{job="evictwatch"}'),
		await ask('count(evictwatch_node_collector_zone_size)'),
		await ask('sum by (zone) (evictwatch_zone_state)'),
		await (await fetch(`${url}/metrics`, {headers: {accept: 'application/openmetrics-text'}})).text(),
	];
	return [
		{name: 'Prometheus scrapes it as OpenMetrics', failures: up[0] === '1' ? [] : [`up is ${up}`]},
		{name: 'it finds each zone', failures: zones[0] === '4' ? [] : [`it finds ${zones}`]},
		{name: 'each in one state', failures: states.every((sum) => sum === '1') ? [] : [states.join()]},
		{name: 'it is OpenMetrics to its end', failures: type.endsWith('\n# EOF\n') ? [] : ['no # EOF']},
	];
}

type Alert = {readonly labels: Readonly<Record<string, string>>; readonly status: {readonly state: string}};

/** A real Prometheus applies the shipped rules to two shadows, and a real Alertmanager gets one alert for both. */
export async function checkByAlertmanager(
	urls: readonly string[],
	folder: string,
): Promise<readonly Check[]> {
	const program = ['alertmanager', 'prometheus-alertmanager'].find(has);
	if (program === undefined || !has('prometheus')) return [];
	await using stack = new AsyncDisposableStack();
	const [port = 0, prometheusPort = 0] = await freePorts(2);
	mkdirSync(folder, {recursive: true});
	const write = (name: string, content: object) => {
		writeFileSync(join(folder, name), stringify(content));
		return join(folder, name);
	};
	const routes = {route: {receiver: 'nobody'}, receivers: [{name: 'nobody'}]};
	serve(stack, program, [
		`--config.file=${write('alertmanager.yaml', routes)}`,
		`--storage.path=${join(folder, 'alerts')}`,
		`--web.listen-address=127.0.0.1:${port}`,
		'--cluster.listen-address=',
	]);
	// With the operator's labels: pod and instance.
	const targets = urls.map((url, index) => ({
		targets: [new URL(url).host],
		labels: {namespace: 'evictwatch', pod: `evictwatch-${index}`},
	}));
	const alertmanagers = [{static_configs: [{targets: [`127.0.0.1:${port}`]}]}];
	serve(stack, 'prometheus', [
		`--config.file=${write('prometheus.yaml', {
			global: {scrape_interval: '1s', evaluation_interval: '1s'},
			rule_files: [write('rules.yaml', rulesOf('rules'))],
			alerting: {alertmanagers},
			scrape_configs: [{job_name: 'evictwatch', static_configs: targets}],
		})}`,
		`--storage.tsdb.path=${join(folder, 'data')}`,
		`--web.listen-address=127.0.0.1:${prometheusPort}`,
	]);
	const alerts = async () => {
		const answer = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`);
		const all = (await answer.json()) as readonly Alert[];
		return all.filter(({labels}) => labels['alertname'] === 'EvictwatchEvictionsExpected');
	};
	await until('it was told', async () => (await alerts()).length > 0, 90 * second);
	const found = await alerts();
	const [alert] = found;
	const {zone, namespace, pod, instance} = alert?.labels ?? {};
	return [
		{
			name: 'Alertmanager knows one alert of the evictions that two shadows expect',
			failures: found.length === 1 && alert?.status.state === 'active' ? [] : [JSON.stringify(found)],
		},
		{
			name: 'it says of which zone, and of neither shadow',
			failures:
				zone === 'eu/b' && namespace === 'evictwatch' && pod === undefined && instance === undefined
					? []
					: [JSON.stringify(alert)],
		},
	];
}
