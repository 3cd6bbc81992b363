import {expect, test} from 'vitest';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {formatAmount, formatThresholdAmount} from '../../../src/forecast/pressure/amount.ts';

test.for([
	{amount: 0n, want: '0'},
	{amount: 1023n, want: '1023'},
	{amount: 1536n, want: '1.5Ki'},
	{amount: 3_432_064_745n, want: '3.2Gi'},
	{amount: 900n * 1024n * 1024n, want: '900Mi'},
	{amount: -524_288_000n, want: '-500Mi'},
	{amount: 2n ** 63n, want: '8192Pi'},
])('$amount bytes read as $want', ({amount, want}) => {
	expect(formatAmount(amount, 'memory.available')).toBe(want);
});

test('inodes and processes are not rounded', () => {
	expect([formatAmount(123_456n, 'nodefs.inodesFree'), formatAmount(32_768n, 'pid.available')]).toEqual([
		'123456',
		'32768',
	]);
});

test('a threshold is shown as it was written, where that is short', () => {
	const shown = (text: string) => formatThresholdAmount(parseQuantity(text), 'nodefs.available');
	expect([shown('10Gi'), shown('500M'), shown('10737418400')]).toEqual(['10Gi', '500M', '10Gi']);
});
