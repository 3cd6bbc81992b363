import {expect, test} from 'vitest';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {utc} from '../../src/dates/timeZone.ts';
import {moreLosses} from '../../src/impact/moreLosses.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {formatStatus, statusJson} from '../../src/print/status.ts';
import {formatWorkloads, workloadsJson} from '../../src/print/workloads.ts';
import {aController, relatedTo} from '../impact/related.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds, now} from './forecasts.ts';

const held = {
	by: 'zone eu/a is stopped: 3 of 4 nodes are not ready',
	since: null,
	releasedBy: '1 of its nodes is ready again',
	ifReleasedNow: inSeconds(310, 316),
};
const owner = {kind: 'ReplicaSet', name: 'web', uid: 'web'};
const forecast = aForecast({
	nodes: [
		aNodeForecast({verdict: 'Tainted', ready: 'Unknown'}),
		aNodeForecast({name: 'n2', verdict: 'Healthy'}),
	],
	zones: [aZoneForecast({size: 2, notReady: 1, state: 'Normal'})],
	pods: [
		aPodForecast({owner, ready: 'True', eviction: inSeconds(60, 62)}),
		aPodForecast({name: 'web-1', owner, ready: 'True', eviction: inSeconds(250, 302)}),
		aPodForecast({name: 'held-0', verdict: 'Held', eviction: null, held}),
		aPodForecast({name: 'gone-0', verdict: 'Terminating', eviction: null}),
	],
});
const impacts = workloadImpacts(forecast, relatedTo([aController('web', {desired: 2, ready: 2})]));
const status = {forecast, impacts, outlook: moreLosses(forecast, defaultSettings), readyNode: 'n2'};

test('an outage on one page: what is next, what is held, what reaches zero, and when it ends', () => {
	const text = formatStatus(status).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/^Seen at 14:00:00Z; all times are UTC\.\nNodes: +1 of 2 in trouble \(n1\); 1 of 2 not ready/,
	);
	expect(text).toMatch(/\nPods: +2 will be evicted, 1 held \(evictions are stopped\), 1 Terminating\n/);
	expect(text).toMatch(/\nNext: +shop\/cart-0 on n1 in 1m-1m2s \(14:01:00Z\/14:01:02Z\)\n/);
	expect(text).toMatch(
		/\nHeld: +1 pod: zone eu\/a is stopped.* Evictions resume when 1 of its nodes is ready again\n/,
	);
	expect(text).toMatch(/\nReach zero: +shop\/replicaset\/web \(2\/2 ready, none in 4m10s-5m2s\)/);
	expect(text).toContain('kubectl evictwatch what-if --node-down n2');
	expect(text).toMatch(
		/\nEnds: +the last predicted eviction comes in 4m10s-5m2s .*; held pods are evicted only after/,
	);
});

test('pods that might be evicted are not told as none', () => {
	const unsure = aPodForecast({name: 'maybe-0', verdict: 'Unsure', eviction: inSeconds(60, 90)});
	const text = formatStatus({...status, forecast: aForecast({pods: [unsure]})}).replaceAll(/\n {15}/g, ' ');
	expect(text).toMatch(
		/\nNext: +no pod for sure; the first that might be evicted is shop\/maybe-0 on n1 in 1m-1m30s/,
	);
	expect(text).toMatch(/\nEnds: +not known: no eviction is sure\n/);
	expect(text).toContain('kubectl evictwatch explain maybe-0 -n shop');
});

test('where all is well the page says so', () => {
	const calm = aForecast({nodes: [aNodeForecast({verdict: 'Healthy'})], zones: [], pods: []});
	const text = formatStatus({...status, forecast: calm, impacts: [], outlook: {zones: [], untilAllStop: 1}});
	expect(text).toMatch(/Nodes: +all 1 are healthy\nPods: +no evictions expected\n/);
	expect(text).toMatch(/Ends: +no eviction is predicted\n/);
});

test('where nodes may not be read none is called healthy', () => {
	const problems = [{reason: 'NodesForbidden', message: 'nodes may not be read'}];
	const blind = {...status, forecast: aForecast({nodes: [], zones: [], pods: [], problems})};
	const text = formatStatus({...blind, outlook: {zones: [], untilAllStop: 0}});
	expect(text).toMatch(/Nodes: +not known: nodes may not be read\n/);
	expect(text).toMatch(/One more node: +not known: nodes may not be read\n/);
	expect(statusJson(blind).nodes).toBeNull();
});

test('the same for programs', () => {
	expect(statusJson(status)).toMatchObject({
		kind: 'Status',
		nodes: {total: 2, notReady: 1},
		pods: {Held: 1, Scheduled: 2, Terminating: 1},
		next: {name: 'cart-0', node: 'n1'},
		held: [{pods: 1, releasedBy: held.releasedBy}],
		reachZero: [{name: 'web', reachesZero: true}, {name: 'held-0'}],
		ends: {latest: '2026-01-31T14:05:02.000Z'},
	});
});

test('workloads that reach zero stand first, with how few stay ready and when', () => {
	const table = formatWorkloads(impacts, {isWide: false, showHeaders: true}, now);
	const [headers, first] = table.split('\n');
	expect(headers).toMatch(/^NAMESPACE +NAME +READY +LOWEST +IN +AT +EVICTING$/);
	expect(first).toMatch(/^shop +replicaset\/web +2\/2 +0 +4m10s-5m2s +14:04:10Z\/14:05:02Z +2$/);
	expect(workloadsJson(impacts, forecast)).toMatchObject({
		kind: 'WorkloadImpactList',
		items: [{name: 'web', lowest: {ready: 0}}, {name: 'held-0'}],
	});
	expect(formatWorkloads([], {isWide: true, showHeaders: true}, now)).toBe('');
});

test('commands to be pasted go to the cluster that was asked', () => {
	const connection = {kubectl: '--context prod', evictwatch: '--context prod'};
	const lines = formatStatus(status, utc, connection).split('\n');
	const commands = lines.slice(lines.indexOf('More:') + 1).map((one) => one.trim().split(/ {3,}/)[0]);
	expect(commands).toEqual([
		'kubectl evictwatch pods -A --context prod',
		'kubectl evictwatch explain cart-0 -n shop --context prod',
		'kubectl evictwatch rescue cart-0 -n shop --context prod',
		'kubectl evictwatch workloads --context prod',
		'kubectl evictwatch what-if --node-down n2 --context prod',
		'',
	]);
	const ofShop = formatStatus({...status, namespace: 'shop'}, utc, connection);
	expect(ofShop).toMatch(/ {2}kubectl evictwatch pods -n shop --context prod {3,}which pods/);
	expect(ofShop).toMatch(/ {2}kubectl evictwatch workloads -n shop --context prod {3,}how few/);
});
