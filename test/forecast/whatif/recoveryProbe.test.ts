import {describe, expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {sceneOfFiles} from '../../../cmd/sources/fileScene.ts';
import {podKey} from '../../../src/core/model/pod.ts';
import {type Duration, minute, second} from '../../../src/core/time/instant.ts';
import {finish, type Pausable} from '../../../src/forecast/pausable.ts';
import type {PodVerdict} from '../../../src/forecast/podForecast.ts';
import {isDeep} from '../../support/drawn.ts';
import {outageDumps} from '../../support/outageDumps.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();

/** Times of a return before the earliest eviction: some too late, some in time. */
const leads = [1, 4, 8, 30].map((seconds) => seconds * second);
/** A quick run asks about fewer pods, in the same outages and at the same instants. */
const mostPods = isDeep ? 6 : 1;

describe.for(['zone-dies', 'partial-large-zone', 'recovery'])('%s', (scenario) => {
	test('whether a return saves a pod is answered as by a what-if', async () => {
		const answers = new Set<boolean>();
		for (const dump of outageDumps(folder, [scenario])) {
			const {forecast, forecaster, snapshot} = await sceneOfFiles(
				parseCommandLine(['pods', '-f', dump.file, '--at', dump.at]),
			);
			const now = snapshot.observedAt;
			const going = forecast.pods.filter(
				({eviction, verdict}) => eviction && (verdict === 'Scheduled' || verdict === 'Expected'),
			);
			const returns = finish(forecaster.recoveryProbeInSteps(now));
			const step = Math.max(1, Math.floor(going.length / mostPods));
			for (const [index, one] of going.entries()) {
				const pod = forecaster.store.pods.get(podKey(one));
				if (index % step !== 0 || !one.eviction || !pod) continue;
				const at = Math.max(now, one.eviction.earliest - (leads[index % leads.length] ?? 0));
				const {pods} = forecaster.whatIf([{type: 'nodeBack', node: one.node, at}], now);
				const asked = pods.find(({after}) => after.uid === one.uid);
				const isSaved = asked?.effect === 'avoided' && asked.after.eviction === null;
				expect({pod: one.name, at, isSaved: finish(returns.save(pod, one.eviction, at))}).toEqual({
					...{pod: one.name, at, isSaved},
				});
				answers.add(isSaved);
			}
		}
		expect(answers.size).toBeGreaterThan(0);
	});
});

/** The number of pauses until a question is answered. */
function pausesOf(question: Pausable<unknown>): number {
	let pauses = 0;
	while (!question.next().done) pauses += 1;
	return pauses;
}

/** The pods that may be saved in an outage, the last to be evicted first, and what simulates their returns. */
async function returnsIn(scenario: string, after?: Duration) {
	const [dump] = outageDumps(folder, [scenario], after === undefined ? undefined : [after]);
	const {forecast, forecaster, snapshot} = await sceneOfFiles(
		parseCommandLine(['pods', '-f', dump?.file ?? '', '--at', dump?.at ?? '']),
	);
	const pods = forecast.pods.flatMap((one) => {
		const pod = forecaster.store.pods.get(podKey(one));
		return one.eviction && pod ? [{pod, eviction: one.eviction, verdict: one.verdict}] : [];
	});
	const now = snapshot.observedAt;
	const returns = finish(forecaster.recoveryProbeInSteps(now));
	return {now, returns, pods: pods.toSorted((a, b) => b.eviction.earliest - a.eviction.earliest)};
}

test('a return that is asked about next goes on from where the one before began', async () => {
	const {returns, pods} = await returnsIn('zone-dies');
	const last = pods.find(({eviction}) => eviction.latest);
	if (!last) throw new Error('no pod is evicted');
	const {pod, eviction} = last;
	const at = eviction.earliest - 30 * second;
	const [first, next] = [
		pausesOf(returns.save(pod, eviction, at)),
		pausesOf(returns.save(pod, eviction, at + second)),
	];
	expect(next).toBeLessThan(first * 0.75);
});

test('a return that is asked about again shares what comes before it in every hidden state and order', async () => {
	const {returns, pods} = await returnsIn('partial-large-zone', 60 * second);
	const [last] = pods;
	if (!last) throw new Error('no pod is evicted');
	const {pod, eviction} = last;
	const at = eviction.earliest - 20 * second;
	const [first, next] = [
		pausesOf(returns.save(pod, eviction, at)),
		pausesOf(returns.save(pod, eviction, at)),
	];
	expect(next).toBeLessThan(first * 0.2);
});

test('orders in which nodes are tainted are tried only for a node that waits', async () => {
	const stepsFor = async (wanted: PodVerdict) => {
		const {now, returns, pods} = await returnsIn('partial-large-zone', 100 * second);
		const one = pods.find(
			({verdict, eviction}) => verdict === wanted && eviction.earliest - now > 2 * minute,
		);
		if (!one) throw new Error(`no pod is ${wanted}`);
		return pausesOf(returns.save(one.pod, one.eviction, now + minute));
	};
	expect(await stepsFor('Scheduled')).toBeLessThan((await stepsFor('Expected')) * 0.6);
});
