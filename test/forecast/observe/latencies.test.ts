import {expect, test} from 'vitest';
import {waitInLine} from '../../../src/forecast/observe/latencies.ts';

test('calls wait behind the workers that a release has', () => {
	const client = {kubeApiQps: 20};
	expect(waitInLine(4, {...client, monitorWorkers: 8})).toBe(4200);
	expect(waitInLine(4, {...client, monitorWorkers: 1})).toBe(2800);
	expect(waitInLine(4, {kubeApiQps: 0, monitorWorkers: 8})).toBe(0);
});
