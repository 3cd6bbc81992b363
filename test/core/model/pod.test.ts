import {expect, test} from 'vitest';
import {isPodTerminal} from '../../../src/core/model/pod.ts';

test.for([
	{phase: 'Succeeded', want: true},
	{phase: 'Failed', want: true},
	{phase: 'Running', want: false},
	{phase: 'Pending', want: false},
	{phase: undefined, want: false},
])('a pod that is $phase has ended: $want', ({phase, want}) => {
	expect(isPodTerminal({phase})).toBe(want);
});
