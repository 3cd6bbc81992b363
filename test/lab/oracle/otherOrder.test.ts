import {expect, test} from 'vitest';
import {isOtherOrder} from './otherOrder.ts';

const seen = (...turns: readonly (string | undefined)[]) =>
	turns.map((turn, index) => ({
		name: `n${index}`,
		taints: turn === undefined ? [] : [{key: 'unreachable', timeAdded: `2000-01-01T00:0${turn}Z`}],
	}));

test.for<{name: string; got: unknown; is: boolean}>([
	{name: 'the same', got: seen('1:00', '2:00', '3:00'), is: true},
	{name: 'other nodes had those turns', got: seen('3:00', '1:00', '2:00'), is: true},
	{name: 'a turn came a second later', got: seen('3:01', '1:00', '2:00'), is: true},
	{name: 'a turn came when none had come', got: seen('1:00', '2:30', '3:00'), is: false},
	{name: 'a turn had not come', got: seen('1:00', '2:00', undefined), is: false},
	{name: 'something else differs', got: [...seen('1:00', '2:00', '3:00'), {name: 'n3'}], is: false},
])('$name: $is', ({got, is}) => {
	expect(isOtherOrder(seen('1:00', '2:00', '3:00'), got)).toBe(is);
});
