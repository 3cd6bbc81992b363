import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {exactly, type SettingsSpan} from '../../../src/forecast/infer/settingsSpan.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';
import {aLease, aNode, aPod, tolerates} from '../../support/builders.ts';

const learned = {
	nodeMonitorGracePeriod: {
		range: [52 * second, 61 * second] as const,
		observations: ['node a turned Unknown'],
	},
	nodeEvictionRate: {range: [0.05, null] as const, observations: ['two taints']},
};
const hidden = {
	flags: {},
	versionFlag: undefined,
	serverVersion: 'v1.36.3',
	controlPlane: unseenControlPlane('hidden'),
};

test('what had to be learned is spanned, what was only confirmed is not', () => {
	const {settings, span} = resolveSettings({...hidden, learned});
	expect(settings.nodeMonitorGracePeriod).toBe(60 * second);
	expect([span.early, span.late].map((one) => one.nodeMonitorGracePeriod)).toEqual([
		52 * second,
		61 * second,
	]);
	expect([span.early, span.late].map((one) => one.nodeEvictionRate)).toEqual([0.1, 0.1]);
});

test('a flag is known to the point, whatever behaviour says', () => {
	const {settings, span} = resolveSettings({
		...hidden,
		flags: {nodeMonitorGracePeriod: 40 * second},
		learned,
	});
	expect(span).toEqual(exactly(settings));
});

test('a forecast over a span holds the forecasts of both of its ends', () => {
	const now = 100 * second;
	const range = (span: SettingsSpan) => {
		const forecaster = new Forecaster(defaultSettings, {span});
		forecaster.observeSnapshot({
			observedAt: now,
			source: 'cluster',
			nodes: [aNode('n1'), aNode('n2')],
			pods: [aPod('web', {tolerations: [tolerates('node.kubernetes.io/unreachable', 300)]})],
			leases: [aLease('n1', now - 25 * second), aLease('n2', now - second)],
			problems: [],
		});
		return forecaster.forecast(now).pods[0]?.eviction;
	};
	const {span} = resolveSettings({...hidden, learned});
	const [early, late, both] = [exactly(span.early), exactly(span.late), span].map(range);
	expect(both?.earliest).toBeLessThanOrEqual((early?.earliest ?? 0) + second / 10);
	expect(both?.latest).toBeGreaterThanOrEqual((late?.latest ?? Number.POSITIVE_INFINITY) - second / 10);
	expect((late?.latest ?? 0) - (early?.latest ?? 0)).toBeGreaterThan(8 * second);
});
