import {expect, test} from 'vitest';
import {playDrawn} from '../support/drawn.ts';
import {judgeLostTokens} from '../support/lostTokens.ts';

test('a token that the controller spent on a node which it took for ready is reckoned with as soon as the taint is missed', () => {
	// 14: a zone's second node was forecast to be tainted at once, and was tainted 9 s later.
	const drawn = {suite: 'lostTokens', kind: 'outages of nodes alone', count: 50, also: [14]};
	const all = playDrawn(drawn, judgeLostTokens);
	expect(all.flatMap(({wrong}) => wrong)).toEqual([]);
	expect(all.filter(({losses}) => losses > 0).length).toBeGreaterThan(0);
	expect(all.reduce((sum, {judged}) => sum + judged, 0)).toBeGreaterThan(300);
});
