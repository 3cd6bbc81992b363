import {expect, test} from 'vitest';
import {zoneLabel} from '../../../src/core/model/zone.ts';
import {keyOfZone} from '../../support/builders.ts';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../support/downNodes.ts';

test('a zone whose stop a pass under way may not have made yet: rate, token and words are those of one state', () => {
	const forecaster = forecasterOf([
		...['a-0', 'a-1'].map((name) => aDownNode(name, 1)),
		aDownNode('a-2', 200),
		aDownNode('b-0', 7),
	]);
	const {zones} = forecaster.forecast(now);
	expect(
		zones.map(({zone, rate, nextToken, stopped}) => ({zone, rate, nextToken, kind: stopped?.kind})),
	).toEqual(
		['a', 'b'].map((zone) => ({
			...{zone: zoneLabel(keyOfZone(zone)), rate: 0, nextToken: null, kind: 'AllZonesDown'},
		})),
	);
	const by = zones[0]?.stopped?.by ?? '';
	expect(by).toContain('every zone is about to be down');
	const words = forecaster.explain({kind: 'zone', name: 'eu/a'}, now)?.steps.map(({what}) => what) ?? [];
	expect(words).toContain(by);
	expect(words.filter((what) => what.includes('may taint one more node'))).toEqual([]);
});

test('no state of a zone lets it evict where no controller manager runs', () => {
	const seen = [aDownNode('a-0', 60), ...['a-1', 'a-2', 'b-0', 'b-1'].map((name) => aReadyNode(name))];
	const ratesWith = (leaderRenewed: number) =>
		forecasterOf(seen, undefined, leaderRenewed)
			.forecast(now)
			.zones.map(({toNextState}) => toNextState.map(({state, rate}) => ({state, rate})));
	expect(ratesWith(120)).toEqual([
		[{state: 'FullDisruption', rate: 0}],
		[{state: 'FullDisruption', rate: 0}],
	]);
	expect(ratesWith(1)[0]).toEqual([{state: 'FullDisruption', rate: 0.1}]);
});
