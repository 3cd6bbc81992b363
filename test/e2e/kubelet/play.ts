import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ApiClient} from '../apiClient.ts';
import {type Plugin, startPlugin} from '../plugin.ts';
import {followPressure, type Report} from '../pressureForecasts.ts';
import {say} from '../session.ts';
import type {Played} from './judge.ts';
import {nodeName, type RealNode} from './node.ts';
import {createLoads, createStaticLoad} from './pods.ts';
import type {Scenario} from './scenarios.ts';
import {evictionsIn, rankingsIn} from './truth.ts';

/** How long a scenario goes on after its last eviction, in seconds, for the pods that were predicted to follow. */
const usuallyAfter = 25;

/**
 * Plays a scenario on the real node, while the plugin watches it.
 *
 * @param folder for the predictions, the kubelet's actions, and a recording that `judgeAgain` can replay
 */
export async function play(
	scenario: Scenario,
	node: RealNode,
	api: ApiClient,
	plugin: Plugin,
	folder: string,
): Promise<Played> {
	const {name, settings, pods, staticPod, evictions: wanted = 1, after = usuallyAfter, patience} = scenario;
	await node.clear();
	await node.runtimeOn(scenario.hasImageDisk ? 'images' : 'disk');
	const chosen = settings(await node.summary());
	await node.killKubelet();
	await node.startKubelet(chosen);
	const begun = Date.now();
	say(`${name}: ${JSON.stringify(chosen)}`);
	await createLoads(api, pods, node.image);
	if (staticPod) createStaticLoad(node, staticPod);
	if (scenario.isCalmStart) await node.untilRunning();
	const reports: Report[] = [];
	mkdirSync(folder, {recursive: true});
	const file = join(folder, name.replaceAll(/\W+/g, '-'));
	const recorder = startPlugin(plugin, ['record', `${file}.jsonl.gz`, '--all-kubelets']);
	recorder.on('error', () => undefined);
	recorder.stderr?.pipe(process.stderr);
	const follower = followPressure(plugin, nodeName, (report) => {
		reports.push(report);
		const predicted = report.items[0]?.evictions ?? [];
		say(
			predicted
				.map(
					({name, certain, eviction}) =>
						`${name}${certain ? '' : '?'} ${eviction.earliest.slice(14, 19)} to ${eviction.latest?.slice(14, 19) ?? 'open'}`,
				)
				.join(', ') || `nobody; ${report.items[0]?.gaps.map(({reason}) => reason).join(' ')}`,
		);
	});
	const done = () => evictionsIn(node.log(begun));
	for (const deadline = begun + patience * 1000; done().length < wanted && Date.now() < deadline; )
		await sleep(500);
	await sleep(after * 1000);
	follower.kill();
	const hasRecorded = once(recorder, 'exit');
	recorder.kill('SIGINT');
	await hasRecorded;
	const evictions = done();
	for (const {at, pod, message} of evictions) say(`${new Date(at).toISOString()} ${pod} evicted: ${message}`);
	for (const ranking of rankingsIn(node.log(begun))) say(`ranked: ${ranking}`);
	const played = {
		...{scenario: name, isSteady: scenario.isSteady ?? false},
		...{reports, evictions, endedAt: Date.now()},
	};
	writeFileSync(`${file}.json`, JSON.stringify(played, null, '\t'));
	return played;
}
