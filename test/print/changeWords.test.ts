import {expect, test} from 'vitest';
import {changesText, changeWords} from '../../src/print/whatif/changeWords.ts';
import {now} from './forecasts.ts';

test.for([
	{settings: {nodeMonitorGracePeriod: 40_000}, want: 'node-monitor-grace-period=40s'},
	{settings: {podEvictionTimeout: 90_000}, want: 'pod-eviction-timeout=1m30s'},
	{settings: {nodeEvictionRate: 0.5}, want: 'node-eviction-rate=0.5'},
])('new flags are told as they are typed: $want', ({settings, want}) => {
	expect(changeWords({type: 'controllersStart', at: 0, settings})).toBe(
		`a new controller manager starts with ${want}`,
	);
});

test('nodes that fall silent together stand on one line', () => {
	const down = (node: string) => ({type: 'nodeDown', node, at: now}) as const;
	expect(changesText([down('a1'), down('a2'), {...down('b1'), at: now + 60_000}], now)).toBe(
		'If nodes a1, a2 fall silent now (14:00:00Z)\nand node b1 falls silent at 14:01:00Z (in 1m):\n',
	);
});
