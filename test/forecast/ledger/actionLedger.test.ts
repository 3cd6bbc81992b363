import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {ActionLedger} from '../../../src/forecast/ledger/actionLedger.ts';
import type {Range} from '../../../src/forecast/range.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aNode} from '../../support/builders.ts';

const deletion = {
	action: 'DeletePod',
	object: {kind: 'Pod', namespace: 'shop', name: 'cart-0', uid: 'uid-cart-0'},
} as const;

/** A ledger whose first prediction is disturbed at 10 s, and replaced at 12 s. */
function replaced(first: Range, later: Range): ActionLedger {
	const ledger = new ActionLedger();
	const saying = (eviction: Range, at: number) =>
		aForecast({
			observedAt: now + at * second,
			pods: [aPodForecast({eviction})],
			nodes: [aNodeForecast({verdict: 'Tainted', node: aNode('n1')})],
		});
	ledger.add(saying(first, 0), true);
	ledger.disturb([{type: 'podsOf', node: 'n1', cause: 'taintLost'}], now + 10 * second);
	ledger.add(saying(later, 12), true);
	return ledger;
}

test('where the word of a takeover comes late, what was said before counts that what it brought has replaced', () => {
	const [first, later] = [inSeconds(100, 110), inSeconds(300, 310)];
	const takenOverAt = (at: number) => {
		const ledger = replaced(first, later);
		expect(ledger.get(deletion)).toMatchObject({range: later, since: now + 12 * second, isStale: false});
		ledger.disturb([{type: 'leader'}], now + at * second);
		return ledger.get(deletion);
	};
	expect(takenOverAt(21)).toMatchObject({isStale: true, before: {range: first, since: now}});
	expect(takenOverAt(23)).toMatchObject({isStale: true, before: {range: later, since: now + 12 * second}});
});
