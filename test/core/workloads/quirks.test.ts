import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {selectsNode} from '../../../src/core/model/workloads/selects.ts';
import {second} from '../../../src/core/time/instant.ts';
import {daemonNode} from '../../../src/core/workloads/daemonSet.ts';
import {syncJob} from '../../../src/core/workloads/job.ts';
import {gracePeriodOf, jobTracking} from '../../../src/core/workloads/podEnd.ts';
import {syncStatefulSet} from '../../../src/core/workloads/statefulSet.ts';
import {aNode} from '../../support/builders.ts';

const key = 'example.com/maintenance';

test('a taint that they tolerate only for a time keeps them away no more than one that they tolerate forever', () => {
	const node = aNode('w1', {taints: [{key, value: '', effect: 'NoExecute'}]});
	const template = (seconds: number | undefined) => ({
		tolerations: [
			{key, operator: 'Exists', value: '', effect: 'NoExecute', ...(seconds && {tolerationSeconds: seconds})},
		],
		nodeSelector: {},
		requests: {cpu: 0, memory: 0},
		claims: [],
		otherRules: [],
	});
	expect(daemonNode(template(10), node)).toEqual(daemonNode(template(undefined), node));
	expect(daemonNode(template(10), node)).toEqual({starts: true, keeps: true});
});

test('a pod that has ended, even with success, is deleted and made again', () => {
	const rules = {name: 'db', desired: 1, start: 0, isParallel: false};
	const ended = {name: 'db-0', phase: 'Succeeded', ready: 'False'} as const;
	expect(syncStatefulSet(rules, [ended]).deletes).toEqual(['db-0']);
	expect(syncStatefulSet(rules, []).creates).toEqual([0]);
});

test('a negative period is a second', () => {
	expect(gracePeriodOf({nodeName: 'w1', phase: 'Running', gracePeriodSeconds: -5})).toBe(1);
});

test('a term that asks for nothing selects none', () => {
	expect(selectsNode([[]], {name: 'w1', labels: {}})).toBe(false);
});

test('a failure is dated by when the pod stopped being ready, which on a dead node is long before its deletion', () => {
	const job = {
		parallelism: 1,
		completions: 1,
		isIndexed: false,
		isSuspended: false,
		backoffLimit: 6,
		replacesOnlyFailed: false,
		active: 1,
		succeeded: 0,
		failed: 0,
		completedIndexes: '',
		failedIndexes: '',
	};
	const deleted = (readyChangedAt: number | undefined) => ({
		name: 'job-a',
		phase: 'Running',
		ready: 'False' as const,
		...(readyChangedAt !== undefined && {readyChangedAt}),
		createdAt: 0,
		deletionTimestamp: 400 * second,
		deletionGracePeriodSeconds: 0,
		finalizers: [jobTracking],
	});
	const waits = (readyChangedAt: number | undefined) =>
		syncJob(job, [deleted(readyChangedAt)], settingsFor('v1.36.3'), 400 * second).waits;
	expect([waits(100 * second), waits(undefined)]).toEqual([0, 10 * second]);
});
