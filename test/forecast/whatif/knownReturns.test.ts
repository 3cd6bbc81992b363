import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {sceneOfFiles} from '../../../cmd/sources/fileScene.ts';
import {second} from '../../../src/core/time/instant.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {Range} from '../../../src/forecast/range.ts';
import {knownReturns} from '../../../src/forecast/whatif/knownReturns.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import {aNodeForecast, aPodForecast, now} from '../../print/forecasts.ts';
import {isDeep} from '../../support/drawn.ts';
import {outageDumps} from '../../support/outageDumps.ts';
import {TemporaryFolder} from '../../support/testEnvironment.ts';

const evictedIn = (
	seconds: number,
	tolerationSeconds: number | null,
	taint = 'node.kubernetes.io/unreachable:NoExecute',
) =>
	aPodForecast({
		...{node: 'n1', eviction: new Range(now + seconds * second, now + seconds * second, null)},
		cause: {kind: 'Taint', taint, tolerationSeconds},
	});

test('what saves a pod in time saves the later ones of its node, and no others', () => {
	const known = knownReturns([]);
	const change = {type: 'nodeBack', node: 'n1', at: now} as const;
	const until = now + 20 * second;
	known.add(evictedIn(30, 30), {kind: 'NodeBack', until, effect: 'Saves', eviction: null, change});
	const untilOf = (...of: Parameters<typeof evictedIn>) => known.of(evictedIn(...of), undefined, now)?.until;
	expect(untilOf(60, 60)).toBe(until);
	expect(untilOf(20, 20)).toBeUndefined();
	expect(untilOf(60, 60, 'example.com/broken:NoExecute')).toBeUndefined();
	expect(known.of({...evictedIn(60, 60), node: 'n2'}, undefined, now)).toBeUndefined();
});

test('a node that is back before any node turns Unknown keeps its pods', () => {
	const turns = (seconds: number) => new Range(now + seconds * second, now + seconds * second, null);
	const untilOf = (ready: 'True' | 'Unknown', at = now, otherTurns = 25) => {
		const one = aNodeForecast({name: 'n1', ready, unknown: turns(25)});
		const other = aNodeForecast({name: 'n2', ready: 'True', unknown: turns(otherTurns)});
		return knownReturns([one, other]).of(evictedIn(60, 60), one, at)?.until;
	};
	expect(untilOf('True')).toBe(now + 24 * second);
	// The pass that finds the other node is at work from then on.
	expect(untilOf('True', now, 15)).toBe(now + 14 * second);
	expect(untilOf('Unknown')).toBeUndefined();
	expect(untilOf('True', now + 24 * second)).toBeUndefined();
});

/** A quick run asks about fewer pods. */
const mostPods = isDeep ? 12 : 3;

test.for([25, 66, 120])(
	'%d s after the start of a large outage, deadlines that other pods or nodes tell are no later than a simulation of their own finds',
	async (after) => {
		using folder = new TemporaryFolder();
		const [dump] = outageDumps(folder.path, ['partial-large-zone'], [after * second]);
		const {forecast, forecaster, snapshot} = await sceneOfFiles(
			parseCommandLine(['rescue', '-f', dump?.file ?? '', '--at', dump?.at ?? '']),
		);
		const rescues = finish(rescuesInSteps(forecaster, {forecast, pressure: []}));
		const untilOf = ({remedies}: (typeof rescues)[number]) =>
			remedies.find(({kind}) => kind === 'NodeBack')?.until;
		const returns = finish(forecaster.recoveryProbeInSteps(snapshot.observedAt));
		const timely = rescues.filter((one) => untilOf(one) !== undefined);
		// While a pass is at work, no return surely saves most of them.
		expect(timely.length).toBeGreaterThan(after === 66 ? 5 : 20);
		const step = Math.floor(timely.length / mostPods);
		for (const [index, one] of timely.entries()) {
			const {pod, forecast: of} = one;
			if (index % step !== 0 || !pod || !of.eviction) continue;
			expect([of.name, finish(returns.save(pod, of.eviction, untilOf(one) ?? 0))]).toEqual([of.name, true]);
		}
	},
);
