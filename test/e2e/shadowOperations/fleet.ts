import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {stringify} from 'yaml';
import {minute} from '../../../src/core/time/instant.ts';
import {queriesOf, rulesOf} from '../../shadow/support/promtool.ts';
import type {Check} from '../judge.ts';
import {freePorts} from '../processes.ts';
import {Program, until} from './program.ts';
import {has, serve} from './servers.ts';

/** The outage in each of three clusters. */
const outages = {'eu-1': 'zone-dies', 'eu-2': 'partial-small-zone', 'us-1': 'node-dies'} as const;
const clusters = Object.keys(outages);

type Sample = {readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string]};

/** A client of one Prometheus. */
class Asked {
	readonly #url: string;

	constructor(port: number) {
		this.#url = `http://127.0.0.1:${port}/api/v1`;
	}

	/** @throws Error if the query fails */
	async query(query: string): Promise<readonly Sample[]> {
		const answer = await fetch(`${this.#url}/query?${new URLSearchParams({query})}`);
		const {status, error, data} = (await answer.json()) as {
			readonly status: string;
			readonly error?: string;
			readonly data: {readonly result: readonly Sample[]};
		};
		if (status !== 'success') throw new Error(`${query}: ${error}`);
		return data.result;
	}

	/** The names of the clusters in a query's result. */
	async clustersOf(query: string): Promise<readonly string[]> {
		return (await this.query(query)).map(({metric}) => metric['cluster'] ?? '').toSorted();
	}
}

/**
 * Three clusters, with a shadow each, and a real Prometheus that scrapes the shadows and applies all shipped rules. Another one
 * federates the recorded series, as for one of many clusters. The fleet dashboard queries both.
 */
export async function checkFleet(plugin: string, folder: string): Promise<readonly Check[]> {
	if (!has('prometheus')) return [];
	await using stack = new AsyncDisposableStack();
	const [port = 0, outerPort = 0] = await freePorts(2);
	mkdirSync(folder, {recursive: true});
	const write = (name: string, content: object) => {
		writeFileSync(join(folder, name), stringify(content));
		return join(folder, name);
	};
	const start = (name: string, at: number, config: object) =>
		serve(stack, 'prometheus', [
			`--config.file=${write(`${name}.yaml`, {global: {scrape_interval: '1s', evaluation_interval: '1s'}, ...config})}`,
			`--storage.tsdb.path=${join(folder, name)}`,
			`--web.listen-address=127.0.0.1:${at}`,
		]);
	const shadows: Program[] = [];
	for (const [name, scenario] of Object.entries(outages)) {
		const {program, server} = await Program.demo(plugin, scenario);
		stack.defer(() => program.end('SIGKILL'));
		const shadow = Program.shadow(plugin, ['-s', server, '--metrics-cluster', name]);
		stack.defer(() => shadow.end('SIGKILL'));
		shadows.push(shadow);
	}
	const targets = await Promise.all(shadows.map(async (shadow) => new URL(await shadow.url()).host));
	start('inner', port, {
		rule_files: (['rules', 'recording', 'fleet'] as const).map((name) =>
			write(`${name}.rules`, rulesOf(name)),
		),
		scrape_configs: [{job_name: 'evictwatch', static_configs: [{targets}]}],
	});
	start('outer', outerPort, {
		rule_files: [join(folder, 'fleet.rules')],
		scrape_configs: [
			{
				job_name: 'federation',
				honor_labels: true,
				metrics_path: '/federate',
				params: {'match[]': ['{__name__=~"cluster:evictwatch_.+"}']},
				static_configs: [{targets: [`127.0.0.1:${port}`]}],
			},
		],
	});
	const [inner, outer] = [new Asked(port), new Asked(outerPort)];
	const firing = 'ALERTS{alertname="EvictwatchClustersLosePods", alertstate="firing"}';
	const losing = 'cluster:evictwatch_pending_evictions:sum{horizon="5m"} > 0';
	await until('all three lose pods', async () => (await outer.query(losing)).length === 3, 4 * minute);
	await until('an alert of many clusters', async () => (await outer.query(firing)).length > 0, 2 * minute);
	await until('each alert names its cluster', async () => (await named(inner)).length === 3, 2 * minute);
	return [
		await asked('the Prometheus that scrapes three shadows', inner),
		await asked('a Prometheus that federates', outer),
		{
			name: 'federation keeps the label of each cluster',
			failures: differences(await outer.clustersOf('cluster:evictwatch_synced:max'), clusters),
		},
		{
			name: 'every sample of a shadow names its cluster',
			failures: (await inner.query('{job="evictwatch", cluster="", __name__!~"up|scrape_.*"}')).map(
				({metric}) => JSON.stringify(metric),
			),
		},
		{name: 'each alert of a cluster names it', failures: differences(await named(inner), clusters)},
	];
}

/** The clusters for which evictions are expected. */
async function named(prometheus: Asked): Promise<readonly string[]> {
	const query = 'ALERTS{alertname="EvictwatchEvictionsExpected", alertstate="firing"}';
	return [...new Set(await prometheus.clustersOf(query))];
}

/** Checks that each query of the fleet dashboard has a result, and that results by cluster include all clusters. */
async function asked(who: string, prometheus: Asked): Promise<Check> {
	const failures: string[] = [];
	for (const query of queriesOf('evictwatch-fleet')) {
		const found = await prometheus.query(query.replaceAll('$cluster', '.*'));
		if (found.length === 0) failures.push(`nothing: ${query}`);
		const names = found.flatMap(({metric}) => metric['cluster'] ?? []);
		if (names.length > 0)
			failures.push(...differences(names, clusters).map((difference) => `${query}: ${difference}`));
	}
	return {name: `the dashboard of all clusters gets data from ${who}`, failures};
}

const differences = (found: readonly string[], wanted: readonly string[]): readonly string[] =>
	found.toSorted().join() === wanted.toSorted().join() ? [] : [`found ${found.join()}`];
