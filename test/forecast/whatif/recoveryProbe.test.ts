import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {sceneOfFiles} from '../../../cmd/sources/fileScene.ts';
import {podKey} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import {finish, type Pausable} from '../../../src/forecast/pausable.ts';
import {drawnTimeout, isDeep} from '../../support/drawn.ts';
import {outageDumps} from '../../support/outageDumps.ts';

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-returns-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** Times of a return before the earliest eviction: some too late, some in time. */
const leads = [1, 4, 8, 30].map((seconds) => seconds * second);
/** A quick run asks about fewer pods, in the same outages and at the same instants. */
const mostPods = isDeep ? 6 : 1;

describe.for(['zone-dies', 'partial-large-zone', 'recovery'])('%s', (scenario) => {
	test('whether a return saves a pod is answered as by a what-if', {timeout: drawnTimeout}, async () => {
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

test('a return that is asked about next goes on from where the one before began', async () => {
	const [dump] = outageDumps(folder, ['zone-dies']);
	const {forecast, forecaster, snapshot} = await sceneOfFiles(
		parseCommandLine(['pods', '-f', dump?.file ?? '', '--at', dump?.at ?? '']),
	);
	const now = snapshot.observedAt;
	const last = forecast.pods
		.filter(({eviction}) => eviction?.latest)
		.toSorted((a, b) => (b.eviction?.earliest ?? 0) - (a.eviction?.earliest ?? 0))[0];
	const pod = last && forecaster.store.pods.get(podKey(last));
	if (!last?.eviction || !pod) throw new Error('no pod is evicted');
	const returns = finish(forecaster.recoveryProbeInSteps(now));
	const at = last.eviction.earliest - 30 * second;
	const [first, next] = [
		pausesOf(returns.save(pod, last.eviction, at)),
		pausesOf(returns.save(pod, last.eviction, at + second)),
	];
	expect(next).toBeLessThan(first * 0.75);
});
