import {expect, test} from 'vitest';
import {assertThere, podsOfWorkload, splitWorkloads} from '../../../cmd/questions/workloadTargets.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {aController, relatedTo} from '../../impact/related.ts';
import {aPodForecast} from '../../print/forecasts.ts';

test.for([
	['deploy/web', [{kind: 'Deployment', name: 'web'}], []],
	['sts db cart', ['db', 'cart'].map((name) => ({kind: 'StatefulSet', name})), []],
	['Rollout/web pod/a node/n1', [{kind: 'Rollout', name: 'web'}], ['pod/a', 'node/n1']],
	['zone/eu/a', [], ['zone/eu/a']],
	['pod web', [], ['pod', 'web']],
	['web', [], ['web']],
] as const)('%s is split into workloads and others', ([line, workloads, others]) => {
	expect(splitWorkloads(line.split(' '))).toEqual({workloads, others});
});

test('pods belong to anyone in their chain of owners', () => {
	const owner = {kind: 'Job', name: 'nightly-1', uid: 'job'};
	const pod = aPodForecast({owner});
	const job = aController('job', {kind: 'Job', name: 'nightly-1'});
	const related = relatedTo([{...job, owner: {kind: 'CronJob', name: 'nightly', uid: 'cron'}}]);
	expect(podsOfWorkload({kind: 'CronJob', name: 'nightly'}, [pod], related)).toEqual([pod]);
	expect(podsOfWorkload({kind: 'Job', name: 'nightly-1'}, [pod], nothingRelated)).toEqual([pod]);
	expect(podsOfWorkload({kind: 'job', name: 'nightly'}, [pod], related)).toEqual([]);
});

test('a workload that has no pods in trouble is none to complain of, one that is not there is', () => {
	const web = aController('web', {kind: 'Deployment', name: 'web'});
	expect(() => assertThere({kind: 'Deployment', name: 'web'}, [], relatedTo([web]))).not.toThrow();
	expect(() => assertThere({kind: 'Deployment', name: 'wep'}, [], relatedTo([web]))).toThrow(
		'no pod of deployment "wep"',
	);
});
