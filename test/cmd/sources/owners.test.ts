import {expect, test} from 'vitest';
import {assertThere, belongsTo, relatedOf} from '../../../cmd/sources/owners.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import type {UserError} from '../../../src/text/userError.ts';
import {aController, relatedTo} from '../../impact/related.ts';
import {aPodForecast} from '../../print/forecasts.ts';

const workload = (kind: string, name: string) => ({kind: 'workload', workload: {kind, name}}) as const;

test('pods belong to anyone in their chain of owners', () => {
	const owner = {kind: 'Job', name: 'nightly-1', uid: 'job'};
	const pod = aPodForecast({owner});
	const job = aController('job', {kind: 'Job', name: 'nightly-1'});
	const related = relatedTo([{...job, owner: {kind: 'CronJob', name: 'nightly', uid: 'cron'}}]);
	expect(belongsTo(pod, workload('CronJob', 'nightly'), related)).toBe(true);
	expect(belongsTo(pod, workload('Job', 'nightly-1'), nothingRelated)).toBe(true);
	expect(belongsTo(pod, workload('Job', 'nightly'), related)).toBe(false);
});

test('pods belong to the services that select them, to their node and to their zone', () => {
	const pod = aPodForecast({labels: {app: 'cart', tier: 'web'}});
	const service = {namespace: 'shop', name: 'cart', selector: {app: 'cart'}, publishesNotReady: false};
	const related = {...nothingRelated, services: [service, {...service, name: 'other', namespace: 'bank'}]};
	expect(belongsTo(pod, workload('Service', 'cart'), related)).toBe(true);
	expect(belongsTo(pod, workload('Service', 'other'), related)).toBe(false);
	expect(belongsTo(pod, {kind: 'nodes', name: pod.node}, related)).toBe(true);
	expect(belongsTo(pod, {kind: 'zones', name: 'eu/z'}, related)).toBe(false);
});

test('a workload that has no pods in trouble is none to complain of, one that is not there is', () => {
	const web = aController('web', {kind: 'Deployment', name: 'web'});
	expect(() => assertThere([workload('Deployment', 'web')], 'shop', [], relatedTo([web]))).not.toThrow();
	expect(() => assertThere([workload('Deployment', 'web')], 'bank', [], relatedTo([web]))).toThrow();
	expect(() => assertThere([workload('Deployment', 'wep')], undefined, [], relatedTo([web]))).toThrow(
		'no pod of deployment "wep"',
	);
});

test.for([
	{
		kind: 'Deployment',
		name: 'wep',
		namespace: 'shop',
		meant: 'deployment web in shop',
		hint: 'try deployment/web -n shop',
	},
	{
		kind: 'Deployment',
		name: 'wep',
		namespace: 'bank',
		meant: 'deployment web in shop',
		hint: 'try deployment/web -n shop',
	},
	{
		kind: 'Workload',
		name: 'wep',
		namespace: undefined,
		meant: 'deployment web in shop',
		hint: 'try deployment/web -n shop',
	},
	{kind: 'StatefulSet', name: 'wep', namespace: 'shop', hint: 'choose another namespace with -n; what else'},
	{kind: 'StatefulSet', name: 'wep', namespace: undefined, hint: 'what else is in trouble'},
])(
	'of a misspelt $kind $name in $namespace it is said what is nearest: $hint',
	({kind, name, namespace, meant, hint}) => {
		const related = relatedTo([aController('web', {kind: 'Deployment', name: 'web'})]);
		const refusal = (() => {
			try {
				assertThere([workload(kind, name)], namespace, [], related);
			} catch (error) {
				return error as UserError;
			}
			throw new Error('nothing was refused');
		})();
		expect(refusal.message.endsWith(`; did you mean ${meant}?`)).toBe(meant !== undefined);
		expect(refusal.hint.startsWith(hint)).toBe(true);
	},
);

test('what owns the pods of a Deployment is read in its namespace; without a workload nothing is', async () => {
	const queries: unknown[] = [];
	const read = async (query: unknown) => {
		queries.push(query);
		return nothingRelated;
	};
	await relatedOf([{kind: 'nodes', name: 'n1'}], 'shop', read);
	await relatedOf([workload('Deployment', 'web')], 'shop', read);
	expect(queries).toEqual([
		expect.objectContaining({
			namespaces: new Set(['shop']),
			ownerKinds: new Set(['ReplicaSet', 'Deployment']),
		}),
	]);
});
