import {expect, test} from 'vitest';
import {formatMoreLosses} from '../../src/print/whatif/moreLosses.ts';

test('a zone that stops taints no further node, and is not said to stop the countdowns that run', () => {
	const steps = [{nodes: 1, state: 'PartialDisruption', rate: 0}] as const;
	const zone = {zone: 'eu/a', state: 'Normal', size: 4, ready: 2, rate: 0.1, steps} as const;
	expect(formatMoreLosses({zones: [zone], untilAllStop: 2})).toContain(
		'1 more: PartialDisruption, no further node is tainted, running countdowns go on\n',
	);
});
