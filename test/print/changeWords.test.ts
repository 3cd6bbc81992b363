import {expect, test} from 'vitest';
import {changeWords} from '../../src/print/whatif/changeWords.ts';

test.for([
	{settings: {nodeMonitorGracePeriod: 40_000}, want: 'node-monitor-grace-period=40s'},
	{settings: {podEvictionTimeout: 90_000}, want: 'pod-eviction-timeout=1m30s'},
	{settings: {nodeEvictionRate: 0.5}, want: 'node-eviction-rate=0.5'},
])('new flags are told as they are typed: $want', ({settings, want}) => {
	expect(changeWords({type: 'controllersStart', at: 0, settings})).toBe(
		`a new controller manager starts with ${want}`,
	);
});
