import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {Range} from '../../../src/forecast/range.ts';
import {otherSetting, type SettingClues} from '../../../src/shadow/compare/otherSetting.ts';
import type {UnexplainedAction} from '../../../src/shadow/compare/unexplainedAction.ts';

const clues: SettingClues = {
	...{settings: defaultSettings, learned: {}, renewedAt: undefined, zoneTaintedAt: undefined},
	zone: {notReady: 1, size: 10},
};
const aCase = (more: Partial<UnexplainedAction>): UnexplainedAction => ({
	...{id: 'a', kind: 'Late', action: 'TaintNode', node: 'n1', zone: 'eu/a', since: 0, stateSince: 0},
	object: {kind: 'Node', name: 'n1', uid: 'u1'},
	expected: new Range(1000, 1500, 2000),
	...{at: null, now: 100_000},
	...more,
});

test.for([
	{name: 'early', kind: 'Early', silent: 31_000, want: /=(2\d|30)s$/},
	{name: 'late', kind: 'Late', silent: 85_000, want: /=(8\d|7[5-9])s$|=1m20s$/},
] as const)('a node that turns Unknown $name tells the grace period', ({kind, silent, want}) => {
	const at = {lo: silent - 100, hi: silent};
	const found = otherSetting(aCase({kind, action: 'SetUnknown', at}), {...clues, renewedAt: 0});
	expect(found?.reason).toBe('OtherSetting');
	expect(found?.explainedBy).toMatch(want);
});

test('by how much a node is early tells the grace period, where its silence alone would allow the assumed one', () => {
	const settings = {...defaultSettings, nodeMonitorGracePeriod: 30_000};
	const at = {lo: 32_900, hi: 33_000};
	const expected = new Range(36_000, 38_000, 40_000);
	const early = aCase({kind: 'Early', action: 'SetUnknown', at, expected});
	expect(otherSetting(early, {...clues, settings, renewedAt: 0})?.explainedBy).toBe(
		'--node-monitor-grace-period=25s',
	);
});

test('a value that what was seen disproves is not told', () => {
	const at = {lo: 34_300, hi: 34_400};
	// A range that moved on as time passed.
	const expected = new Range(64_400, 66_000, 70_000);
	const early = aCase({kind: 'Early', action: 'SetUnknown', at, expected});
	expect(otherSetting(early, {...clues, renewedAt: 0})?.explainedBy).toBe('--node-monitor-grace-period=30s');
});

test('a node that is not Unknown yet tells the least that the grace period may be', () => {
	const missing = aCase({kind: 'Missing', action: 'SetUnknown', now: 70_000});
	expect(otherSetting(missing, {...clues, renewedAt: 0})?.explainedBy).toBe(
		'--node-monitor-grace-period=1m40s',
	);
});

test('what is late though its zone has tainted before tells the rate', () => {
	const late = aCase({at: {lo: 49_900, hi: 50_000}});
	expect(otherSetting(late, {...clues, zoneTaintedAt: 0})?.explainedBy).toBe('--node-eviction-rate=0.02');
});

test('while the next taint is missing, the most that the rate may be is told', () => {
	const missing = aCase({kind: 'Missing', now: 40_000});
	expect(otherSetting(missing, {...clues, zoneTaintedAt: 0})?.explainedBy).toBe('--node-eviction-rate=0.02');
});

test('a zone that does not taint at a share below the threshold tells a lower one', () => {
	const missing = aCase({kind: 'Missing'});
	const found = otherSetting(missing, {...clues, zone: {notReady: 4, size: 10}});
	expect(found?.explainedBy).toMatch(/^--unhealthy-zone-threshold=0\.[234]$/);
	expect(otherSetting(missing, {...clues, zone: {notReady: 2, size: 10}})).toBeUndefined();
});

test('what these controllers have shown goes before what one action tells', () => {
	const learned = {nodeEvictionRate: {range: [0.45, 0.55], observations: ['taints 2 s apart']}} as const;
	const found = otherSetting(aCase({}), {...clues, learned, zoneTaintedAt: 0});
	expect(found?.explainedBy).toBe('--node-eviction-rate=0.5');
	expect(found?.because.join(' ')).toContain('taints 2 s apart');
});
