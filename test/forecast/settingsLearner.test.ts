import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {LearnedSettings} from '../../src/forecast/settings/learned/learnedSetting.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {aLease, aNode} from '../support/builders.ts';
import {learningWatcher} from '../support/learningWatcher.ts';
import {type Outage, watchOutage} from './settings/watchedOutage.ts';

const hidden: SettingsEvidence = {
	flags: {},
	versionFlag: undefined,
	serverVersion: 'v1.36.3',
	controlPlane: unseenControlPlane('hidden'),
	learned: {},
};

/** One node fails, and later another, in a cluster with hidden flags. */
const outage: Outage = {
	settings: {nodeMonitorGracePeriod: 90 * second},
	zones: {a: 3, b: 3},
	podsPerNode: 2,
	steps: [
		{at: 2 * minute, do: 'stop', nodes: ['a1']},
		{at: 6 * minute, do: 'stop', nodes: ['b1']},
	],
	until: 7 * minute,
};

function watch(evidence: Partial<SettingsEvidence> = {}) {
	const learned: LearnedSettings[] = [];
	const forecasts: Forecast[] = [];
	const predictor = learningWatcher({...hidden, ...evidence}, (one) => learned.push(one));
	watchOutage(outage, (observations, arrivedAt) => {
		predictor.observe(observations, arrivedAt);
		if (Math.round(arrivedAt) % (5 * second) === 0) forecasts.push(predictor.forecast(arrivedAt));
	});
	return {learned, last: forecasts.at(-1), forecasts};
}

const unknownOf = (forecast: Forecast | undefined, name: string) =>
	forecast?.nodes.find((node) => node.name === name)?.unknown;

test('what behaviour contradicts is replaced while watching, and the next node is foretold with it', () => {
	const {learned, last} = watch();
	expect(last?.problems).toMatchObject([
		{
			reason: 'SettingContradicted',
			message: expect.stringMatching(/^--node-monitor-grace-period is 50s by default/),
		},
	]);
	expect(learned.at(-1)?.nodeMonitorGracePeriod?.range[0]).toBeGreaterThan(50 * second);
	// b1 became silent before 6 min; with the default of 50 s it would be overdue by 7 min.
	const unknown = unknownOf(last, 'b1');
	expect(unknown?.earliest).toBeGreaterThan(7 * minute);
	expect(unknown?.latest).toBeLessThan(7 * minute + 40 * second);
});

test('the last forecasts still know the pods and nodes of the whole cluster', () => {
	const {last} = watch();
	expect([last?.nodes.length, last?.pods.length]).toEqual([6, 12]);
});

test('what was learned before counts from the start', () => {
	const {learned} = watch();
	const {forecasts} = watch({learned: learned.at(-1) ?? {}});
	expect(forecasts[0]?.problems).toMatchObject([{reason: 'SettingContradicted'}]);
});

test('a flag is kept against behaviour, and the contradiction is told', () => {
	const {last} = watch({flags: {nodeMonitorGracePeriod: 50 * second}});
	expect(last?.problems).toMatchObject([
		{message: expect.stringMatching(/used anyway, because the command line/)},
	]);
	expect(watch({flags: {nodeMonitorGracePeriod: 90 * second}}).last?.problems).toEqual([]);
});

test('a doubt ends ten minutes after it was last raised', () => {
	const began = 60 * minute;
	const {observe, forecast} = learningWatcher(hidden);
	const leader = (renewTime: number) => ({
		...{namespace: 'kube-system', name: 'kube-controller-manager'},
		...{holderIdentity: 'cp1_1', acquireTime: 0, renewTime},
	});
	const renewed = (at: number) => [aLease('n1', at), aLease('n2', at), leader(at)];
	const nodes = ['n1', 'n2'].map((name) => ({type: 'nodeApplied', node: aNode(name)}) as const);
	const leases = [aLease('n1', began - 90 * second), aLease('n2', began), leader(began)];
	observe([...nodes, ...leases.map((lease) => ({type: 'leaseApplied', lease}) as const)], began);
	const reasonsAt = (at: number) => forecast(at).problems.map(({reason}) => reason);
	expect(reasonsAt(began)).toContain('DefaultsInDoubt');
	for (let at = began + 5 * second; at <= began + 11 * minute; at += 5 * second) {
		observe(
			renewed(at).map((lease) => ({type: 'leaseApplied', lease}) as const),
			at,
		);
		const isInDoubt = reasonsAt(at).includes('DefaultsInDoubt');
		if (at <= began + 9 * minute) expect(isInDoubt).toBe(true);
		if (at >= began + 10.5 * minute) expect(isInDoubt).toBe(false);
	}
});
