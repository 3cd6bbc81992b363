import {expect, test} from 'vitest';
import {second} from '../../../../src/core/time/instant.ts';
import {aForecaster} from '../../../support/aForecaster.ts';
import {aLease, aNode} from '../../../support/builders.ts';

const now = 1000 * second;

/** The verdict on a node with this lease duration and this age of its last renewal. */
function verdictOn(leaseDuration: number | undefined, ago: number) {
	const lease = {...aLease('n1', now - ago), ...(leaseDuration !== undefined && {leaseDuration})};
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			nodes: [aNode('n1'), aNode('n2')],
			leases: [lease, aLease('n2', now - second)],
		},
	);
	return forecaster.forecast(now).nodes.find(({name}) => name === 'n1')?.verdict;
}

test.for([
	{duration: undefined, ago: 10.4 * second, verdict: 'Healthy'},
	{duration: undefined, ago: 19 * second, verdict: 'Late'},
	{duration: undefined, ago: 21 * second, verdict: 'Silent'},
	{duration: 40 * second, ago: 21 * second, verdict: 'Silent'},
	{duration: 80 * second, ago: 20 * second, verdict: 'Healthy'},
	{duration: 80 * second, ago: 35 * second, verdict: 'Late'},
	{duration: 80 * second, ago: 41 * second, verdict: 'Silent'},
	{duration: 20 * second, ago: 5 * second, verdict: 'Healthy'},
	{duration: 20 * second, ago: 9 * second, verdict: 'Late'},
	{duration: 20 * second, ago: 11 * second, verdict: 'Silent'},
	// An unintended duration is not taken literally.
	{duration: 0, ago: second, verdict: 'Healthy'},
	{duration: 0, ago: 1.5 * second, verdict: 'Late'},
])(
	'a lease of $duration ms that was renewed $ago ms ago makes a node $verdict',
	({duration, ago, verdict}) => {
		expect(verdictOn(duration, ago)).toBe(verdict);
	},
);
