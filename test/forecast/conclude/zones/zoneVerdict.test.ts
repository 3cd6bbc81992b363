import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../../../src/core/model/controlPlane.ts';
import {defaultSettings} from '../../../../src/core/model/versionProfile.ts';
import {zoneLabel} from '../../../../src/core/model/zone.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {resolveSettings} from '../../../../src/forecast/settings/resolve.ts';
import {aTaint, keyOfZone} from '../../../support/builders.ts';
import {aDownNode, aReadyNode, forecasterOf, now} from '../../../support/downNodes.ts';

test('a zone whose stop a pass under way may not have made yet: rate, token and words are those of one state', () => {
	const forecaster = forecasterOf([
		...['a-0', 'a-1'].map((name) => aDownNode(name, 1)),
		aDownNode('a-2', 200),
		aDownNode('b-0', 7),
	]);
	const {zones} = forecaster.forecast(now);
	expect(
		zones.map(({zone, rate, nextTaint, stopped}) => ({zone, rate, nextTaint, kind: stopped?.kind})),
	).toEqual(
		['a', 'b'].map((zone) => ({
			...{zone: zoneLabel(keyOfZone(zone)), rate: 0, nextTaint: null, kind: 'AllZonesDown'},
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

test('where nothing confirms the flags, the next taint of a zone has a range as wide as those of its nodes', () => {
	const down = aDownNode('a-0', 12);
	const taint = aTaint('node.kubernetes.io/unreachable', {effect: 'NoExecute', timeAdded: now - 4 * second});
	const tainted = {...down, node: {...down.node, taints: [taint]}};
	const forecaster = forecasterOf([
		tainted,
		...[aDownNode('a-1', 5), aReadyNode('a-2', 45)],
		...['b-0', 'b-1', 'b-2'].map((name) => aReadyNode(name)),
	]);
	const flags = {flags: {}, versionFlag: undefined, serverVersion: 'v1.36.3', learned: {}};
	forecaster.narrow(resolveSettings({...flags, controlPlane: unseenControlPlane('hidden')}));
	const {zones, nodes} = forecaster.forecast(now);
	const zone = zones.find((one) => one.zone === zoneLabel(keyOfZone('a')));
	const waiting = nodes.find(({name}) => name === 'a-1');
	expect(zone?.nextTaint?.earliest).toBe(now);
	expect(zone?.nextTaint?.latest).toBeGreaterThan(now + 90 * second);
	expect(waiting?.noExecute?.earliest).toBeLessThanOrEqual(now);
	expect(waiting?.noExecute?.latest).toBeGreaterThan(now + 90 * second);
	expect(zone).toMatchObject({rate: 0.1, isRateAssumed: true});
	// What taints show of a rate is close enough.
	const nodeEvictionRate = {range: [0.09, 0.114] as const, observations: ['two taints']};
	forecaster.narrow(
		resolveSettings({...flags, controlPlane: unseenControlPlane('hidden'), learned: {nodeEvictionRate}}),
	);
	expect(forecaster.forecast(now).zones.every((one) => one.isRateAssumed === undefined)).toBe(true);
	// At 0.1 nodes a second, as most likely: neither end of the possible rates is told as the rate of a state ahead.
	expect(zone?.coming.steps.map(({state, rate}) => ({state, rate}))).toEqual([
		{state: 'FullDisruption', rate: 0.1},
	]);
});

test('a zone that stopped and never resumes at a rate of 1 is told as stopped, with the reason, by zone, node and pod', () => {
	const seen = [
		aDownNode('a-0', 200),
		aDownNode('a-1', 200),
		...['b-0', 'b-1', 'b-2'].map((name) => aReadyNode(name)),
	];
	const zoneAt = (nodeEvictionRate: number) => {
		const forecaster = forecasterOf(seen, {...defaultSettings, nodeEvictionRate});
		return {forecaster, zone: forecaster.forecast(now).zones.find(({zone}) => zone === 'eu/a')};
	};
	const {forecaster, zone} = zoneAt(1);
	expect(zone).toMatchObject({rate: 0, nextTaint: null, stopped: {kind: 'ZoneStopped', isForGood: true}});
	expect(zone?.toNextState.map(({rate}) => rate)).toEqual(zone?.toNextState.map(() => 0));
	const words = forecaster.explain({kind: 'zone', name: 'eu/a'}, now)?.steps.map(({what}) => what) ?? [];
	expect(words).toContain('evictions in zone eu/a stay stopped, as a rate of exactly 1 never resumes them');
	expect(words.filter((what) => what.includes('may taint one more node'))).toEqual([]);
	const [pod] = forecaster.forecast(now).pods.filter(({node}) => node === 'a-0');
	expect(pod?.verdict).toBe('Stays');
	expect(pod?.because[0]).toContain('a rate of exactly 1 never resumes them');
	expect(zoneAt(2).zone?.stopped).toBeUndefined();
});
