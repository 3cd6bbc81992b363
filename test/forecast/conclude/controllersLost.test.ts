import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {onlyControllerHost} from '../../../src/forecast/zoneForecast.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aLeader, aLease, aNode} from '../../support/builders.ts';

const now = 1000 * second;
const labels = {'node-role.kubernetes.io/control-plane': ''};

test.for([
	[2, undefined],
	[40, 'cp1'],
] as const)(
	'a control plane node whose kubelet renewed %is ago takes the controllers over, or not',
	([age, host]) => {
		const forecaster = aForecaster(settingsFor('v1.36.3'), {
			observedAt: now,
			source: 'file',
			nodes: [aNode('cp1', {labels}), aNode('cp2', {labels}), aNode('w1')],
			leases: [
				...[aLease('cp1', now), aLease('cp2', now - age * second), aLease('w1', now)],
				aLeader(now - second, 0, {holderIdentity: 'cp1_x'}),
			],
		});
		expect(onlyControllerHost(forecaster.forecast(now).zones)).toBe(host);
	},
);
