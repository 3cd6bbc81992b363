import {setTimeout as sleep} from 'node:timers/promises';
import type {Cluster} from './cluster.ts';
import type {Forecasts} from './forecasts.ts';
import {evictablePods} from './workload.ts';

/** Two renewals and two passes of the controller manager: all clocks run. */
const settling = 20_000;
/** Grace, pass, queue of three nodes, toleration and then some: 50 + 5 + 30 + 40 s. */
const patience = 180_000;
/** After the last due deletion, for those that must not come. */
const aftermath = 10_000;

export type Outage = {readonly name: string; readonly at: number; readonly nodes: readonly string[]};

/** One node dies, and when that is over a whole zone. Forecasts are collected from each death on. */
export async function runScenario(
	cluster: Cluster,
	forecasts: Forecasts | undefined,
	say: (line: string) => void,
): Promise<Outage[]> {
	say(`a healthy cluster, for ${settling / 1000} s`);
	await sleep(settling);
	await forecasts?.collectOnce();
	const outages = [];
	for (const [name, nodes] of [
		['node a-1 dies', ['a-1']],
		['zone b dies', cluster.fleet.namesIn('b')],
	] as const) {
		outages.push(await outage(cluster, forecasts, name, nodes, say));
	}
	return outages;
}

async function outage(
	{fleet, recorder}: Cluster,
	forecasts: Forecasts | undefined,
	name: string,
	nodes: readonly string[],
	say: (line: string) => void,
): Promise<Outage> {
	say(name);
	const at = Date.now();
	fleet.stop(nodes);
	const pods = nodes.flatMap(evictablePods);
	const isOver = () => pods.every((pod) => recorder.find(`pod/${pod}`, 'Terminating') !== undefined);
	const end = new AbortController();
	const collected = forecasts?.collect(end.signal);
	while (!isOver() && Date.now() < at + patience) await sleep(200);
	await sleep(aftermath);
	end.abort();
	await collected;
	say(
		`${isOver() ? 'all' : 'NOT all'} ${pods.length} pods deleted, ${seconds(Date.now() - at)} after ${name}`,
	);
	return {name, at, nodes};
}

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
