import {expect, test} from 'vitest';
import {clientLimit} from '../../../src/core/client/clientLimit.ts';

test('kube-api-qps=0 means 5 calls a second', () => {
	expect(clientLimit(0, 30)).toEqual({qps: 5, burst: 30});
	expect(clientLimit(0, 0)).toEqual({qps: 5, burst: 10});
});

test('a negative rate is no limit, whatever the burst', () => {
	expect(clientLimit(-1, 0)).toEqual({qps: 0, burst: 0});
});

test('a rate needs a burst: the controller manager does not start without', () => {
	expect(clientLimit(20, 30)).toEqual({qps: 20, burst: 30});
	expect(clientLimit(20, 0)).toBeUndefined();
	expect(clientLimit(20, -1)).toBeUndefined();
});
