import {expect, test} from 'vitest';
import {clientLimit} from '../../../src/core/client/clientLimit.ts';

test('kube-api-qps=0 means 5 calls a second', () => {
	expect(clientLimit(0, 30)).toEqual({qps: 5, burst: 30});
	expect(clientLimit(0, 0)).toEqual({qps: 5, burst: 10});
});
