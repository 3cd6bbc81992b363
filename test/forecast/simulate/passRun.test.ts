import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import type {Inferred} from '../../../src/forecast/infer/inferred.ts';
import {type HypothesisTrajectory, PassRun} from '../../../src/forecast/simulate/passRun.ts';
import {seenAtOnce} from '../../support/evidence.ts';

// A throttled pass turns a node Unknown each second; the run ends after nine, with one more to come.
test.for([
	{version: 'v1.26.15', workers: 'one worker took them in turn', pace: 1},
	{version: 'v1.36.3', workers: 'seven of eight workers wait for theirs', pace: 8},
])('the next node of a pass comes at the pace of $version: $workers', ({version, pace}) => {
	const now = minute;
	const silent = {taints: [], goneAt: undefined, readiness: []};
	const turned = Array.from({length: 9}, (_, index): [string, object] => [
		`n${index + 1}`,
		{...silent, readiness: [{at: now + (index + 1) * second, isReady: false, isUnknown: true}]},
	]);
	const nodes = new Map([...turned, ['n10', {...silent, isUnnoticed: true}]]);
	const settings = settingsFor(version);
	const {affected} = seenAtOnce({n10: {status: 'True', since: 0}}, settings, now);
	const state = {affected, now, settings};
	const run = new PassRun(
		{
			trajectory: {nodes, endsAt: now + 9 * second, isControlled: true, passStarts: []},
			hypothesis: {schedule: {}},
		} as unknown as HypothesisTrajectory,
		state as unknown as Inferred,
		new Map(),
	);
	const {lo = 0, hi = 0} = run.unknownAt(9, now + 9 * second) ?? {};
	expect((lo + hi) / 2).toBeCloseTo(now + (9 + pace) * second);
});

test('one batch shows no pace: the next node may come at once, or once all workers have marked the most pods of a node', () => {
	const [now, endsAt] = [minute, 3 * minute];
	const silent = {taints: [], goneAt: undefined, readiness: []};
	const turned = Array.from({length: 8}, (_, index): [string, object] => [
		`n${index + 1}`,
		{...silent, readiness: [{at: now + index * 10, isReady: false, isUnknown: true}]},
	]);
	const nodes = new Map([...turned, ['n9', {...silent, isUnnoticed: true}]]);
	const settings = {...settingsFor('v1.36.3'), kubeApiQps: 5};
	const {evidence, affected} = seenAtOnce({n9: {status: 'True', since: 0}}, settings, now);
	const run = new PassRun(
		{
			trajectory: {nodes, endsAt, isControlled: true, passStarts: []},
			hypothesis: {schedule: {}},
		} as unknown as HypothesisTrajectory,
		{evidence, affected, now, settings} as unknown as Inferred,
		new Map(),
	);
	const {lo, hi} = run.unknownAt(8, endsAt) ?? {};
	// Nine nodes with one pod each, eight calls for each at five calls per second.
	expect([lo, hi]).toEqual([endsAt, endsAt + 9 * 1.6 * second]);
});
