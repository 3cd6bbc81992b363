import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {type MeasuredSummary, measuredIn} from '../../../src/core/nodepressure/thresholds/observations.ts';
import {
	aNodePod,
	evictionLoop,
	lines,
	memoryLeft,
	memoryStats,
	ScriptedNode,
} from '../../support/pressure.ts';

const config = {
	evictionHard: {'memory.available': '500Mi'},
	evictionSoft: {'memory.available': '1Gi'},
	evictionSoftGracePeriod: {'memory.available': '15s'},
	evictionMinimumReclaim: {'memory.available': '200Mi'},
	evictionPressureTransitionPeriod: '30s',
	evictionMaxPodGracePeriod: 20,
};

/** A node whose memory follows a script with one amount per five seconds. */
class MovingNode extends ScriptedNode {
	readonly #amounts: readonly string[];

	constructor(amounts: readonly string[], termination: number | undefined) {
		super(memoryLeft('4Gi'), [aNodePod('a'), aNodePod('b'), aNodePod('c')]);
		this.#amounts = amounts;
		this.termination = termination;
	}

	override measured(now = 0): MeasuredSummary {
		const amount = this.#amounts[Math.floor(now / 5000)] ?? '4Gi';
		return measuredIn(
			memoryLeft(amount, [memoryStats('a', '3Gi'), memoryStats('b', '2Gi'), memoryStats('c', '1Gi')]),
		);
	}
}

const anyAmounts = fc.array(fc.constantFrom('100Mi', '600Mi', '800Mi', '1100Mi', '4Gi'), {maxLength: 40});
const anyTermination = fc.constantFrom(0, 400, 9_000, 25_000, undefined);

test('one long advance equals many short ones', () => {
	fc.assert(
		fc.property(
			anyAmounts,
			anyTermination,
			fc.array(fc.nat({max: 30_000}), {maxLength: 30}),
			(amounts, termination, steps) => {
				const until = steps.reduce((sum, step) => sum + step, 0);
				const once = lines(evictionLoop(config, new MovingNode(amounts, termination)).advanceTo(until));
				const loop = evictionLoop(config, new MovingNode(amounts, termination));
				const often = steps.flatMap((step) => lines(loop.advanceTo(loop.now + step)));
				expect([...often, ...lines(loop.advanceTo(until))]).toEqual(once);
			},
		),
	);
});

test('in any run at most one pod a pass goes for a threshold, and kills lie a second apart', () => {
	fc.assert(
		fc.property(anyAmounts, anyTermination, (amounts, termination) => {
			const effects = evictionLoop(config, new MovingNode(amounts, termination)).advanceTo(300_000);
			const at = effects.filter(({effect}) => effect.type === 'killed').map((kill) => kill.at);
			for (const [index, time] of at.entries()) {
				const next = at[index + 1];
				if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(1000);
			}
		}),
	);
});
