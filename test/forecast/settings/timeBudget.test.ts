import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {nodeCondition} from '../../../src/core/model/node.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {adviceFor} from '../../../src/forecast/settings/advice.ts';
import {risksOf} from '../../../src/forecast/settings/risks.ts';
import {timeBudget} from '../../../src/forecast/settings/timeBudget.ts';
import {watchOutage} from './watchedOutage.ts';

const withSettings = (settings: Partial<ControllerSettings>) => ({...defaultSettings, ...settings});

/** How long after its last renewal a single silent node became Unknown, got its taint, and lost its pod. */
function play(settings: ControllerSettings, tolerationSeconds: number, stopAt: number, seed: number) {
	const seen = {renewal: 0, unknown: 0, taint: 0, deletion: 0};
	watchOutage(
		{
			settings,
			zones: {a: 2, b: 2},
			podsPerNode: 1,
			tolerationSeconds,
			passDuration: 1.3,
			steps: [{at: stopAt, do: 'stop', nodes: ['a1']}],
			until: stopAt + settings.nodeMonitorGracePeriod + (tolerationSeconds + 60) * second,
			seed,
		},
		(observations, at) => {
			for (const one of observations) {
				if (one.type === 'leaseApplied' && one.lease.name === 'a1') seen.renewal = at;
				if (one.type === 'podApplied' && one.pod.name === 'a1-0' && one.pod.deletionTimestamp)
					seen.deletion ||= at;
				if (one.type !== 'nodeApplied' || one.node.name !== 'a1') continue;
				if (nodeCondition(one.node, 'Ready')?.status === 'Unknown') seen.unknown ||= at;
				if (one.node.taints.some(({effect}) => effect === 'NoExecute')) seen.taint ||= at;
			}
		},
	);
	return [seen.unknown - seen.renewal, seen.taint - seen.unknown, seen.deletion - seen.taint];
}

test('a lone node that falls silent keeps to the time budget', () => {
	const anySettings = fc.record({
		nodeMonitorPeriod: fc.constantFrom(2, 5, 7).map((seconds) => seconds * second),
		nodeMonitorGracePeriod: fc.constantFrom(12, 40, 50, 90).map((seconds) => seconds * second),
		queuesInPassOfTransition: fc.boolean(),
	});
	const stopAt = fc.integer({min: 60_003, max: 90_003});
	fc.assert(
		fc.property(anySettings, fc.constantFrom(1, 30), stopAt, fc.nat(500), (changes, tolerated, at, seed) => {
			const settings = withSettings(changes);
			const {steps} = timeBudget(settings, tolerated, 4);
			for (const [index, took] of play(settings, tolerated, at, seed).entries()) {
				const takes = steps[index]?.takes;
				// Observations are up to a tenth of a second late at both ends.
				expect(took, JSON.stringify(steps[index])).toBeGreaterThanOrEqual((takes?.lo ?? 0) - 101);
				expect(took, JSON.stringify(steps[index])).toBeLessThanOrEqual((takes?.hi ?? 0) + 120);
			}
		}),
		{numRuns: 40},
	);
});

test.for<{name: string; settings: Partial<ControllerSettings>; never: number[]}>([
	{name: 'a node is never Unknown', settings: {nodeLifecycle: false}, never: [0, 1]},
	{name: 'a pod is never deleted', settings: {taintEviction: false}, never: [2]},
])('where a controller is off, $name', ({settings, never}) => {
	const {steps, total} = timeBudget(withSettings(settings), 300, 10);
	expect(steps.flatMap(({takes}, index) => (takes === null ? [index] : []))).toEqual(never);
	expect(total).toBeNull();
	expect(adviceFor(minute, withSettings(settings), 10 * second, 10)).toMatchObject({
		least: null,
		tolerationSeconds: null,
		nodeMonitorGracePeriod: null,
	});
});

test.for<{settings: Partial<ControllerSettings>; renew?: number; want: string[]}>([
	{settings: {}, want: []},
	{settings: {nodeMonitorGracePeriod: 40 * second}, want: ['GraceBelowConnectionTimeout']},
	{settings: {}, renew: 15, want: ['GraceBelowRenewals']},
	{
		settings: {nodeMonitorGracePeriod: 4 * second},
		want: ['GraceBelowRenewals', 'GraceBelowConnectionTimeout', 'PeriodAboveGrace'],
	},
	{settings: {nodeEvictionRate: 1}, want: ['RateOne']},
	{settings: {secondaryNodeEvictionRate: 1}, want: ['SecondaryRateOne', 'SecondaryRateAboveRate']},
	{settings: {nodeEvictionRate: 0}, want: ['RateZero']},
	{settings: {secondaryNodeEvictionRate: 0.5}, want: ['SecondaryRateAboveRate']},
	{settings: {unhealthyZoneThreshold: 1.1}, want: ['ThresholdNeverReached']},
	{settings: {unhealthyZoneThreshold: 0}, want: ['ThresholdLow']},
	{settings: {nodeLifecycle: false}, want: ['NodeLifecycleOff']},
	{settings: {taintEviction: false}, want: ['TaintEvictionOff']},
])('the risks of $settings are $want', ({settings, renew = 10, want}) => {
	expect(risksOf(withSettings(settings), renew * second).map(({reason}) => reason)).toEqual(want);
});

test('a toleration is preferred to a grace period, and what is risky is said', () => {
	const advise = (want: number) => adviceFor(want * second, defaultSettings, 10 * second, 10);
	expect(advise(60)).toMatchObject({tolerationSeconds: 4, nodeMonitorGracePeriod: null, risks: []});
	expect(advise(30)).toMatchObject({
		tolerationSeconds: null,
		nodeMonitorGracePeriod: 20 * second,
		risks: [{reason: 'GraceBelowRenewals'}, {reason: 'GraceBelowConnectionTimeout'}],
	});
	expect(advise(5)).toMatchObject({tolerationSeconds: null, nodeMonitorGracePeriod: null});
});
