import {expect, test} from 'vitest';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {comparisonFamilies} from '../../../src/shadow/metrics/controllerMetrics.ts';
import type {Sample} from '../../../src/shadow/metrics/family.ts';
import {ShadowMetrics} from '../../../src/shadow/metrics/shadowMetrics.ts';
import type {MatchedAction} from '../../../src/shadow/shadowView.ts';
import {aForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aDivergence, aView} from '../support/views.ts';

const newMetrics = (workloads = 0) => new ShadowMetrics({now: () => now, version: '1.2.3', workloads});

const textOf = async (metrics: ShadowMetrics, accept = '') => (await metrics.exposition(accept)).text;

const aMatch = (fields: Partial<MatchedAction> = {}): MatchedAction => ({
	action: 'TaintNode',
	zone: 'eu/a',
	at: now,
	error: 1500,
	isInside: true,
	...fields,
});

test("zones have the node controller's own metrics, under a prefix", async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	const text = await textOf(metrics);
	expect(text).toContain('evictwatch_node_collector_zone_size{zone="eu/a"} 4\n');
	expect(text).toContain('evictwatch_node_collector_unhealthy_nodes_in_zone{zone="eu/a"} 1\n');
	expect(text).toContain('evictwatch_node_collector_zone_health{zone="eu/a"} 75\n');
	expect(text).toContain('evictwatch_node_collector_zone_health{zone="eu/b"} 100\n');
	expect(text).toContain('evictwatch_zone_queued_nodes{zone="eu/a"} 1\n');
});

test('where the cluster has a name, every sample says it, those of the process too', async () => {
	const metrics = new ShadowMetrics({now: () => now, version: '1.2.3', workloads: 0, cluster: 'eu-1'});
	metrics.changed(aView());
	metrics.matched(aMatch());
	for (const accept of ['', 'application/openmetrics-text']) {
		const lines = (await textOf(metrics, accept)).split('\n').filter((line) => /^\w/.test(line));
		expect(lines.length).toBeGreaterThan(40);
		expect(lines.filter((line) => !line.includes('cluster="eu-1"'))).toEqual([]);
	}
	expect(await textOf(newMetrics())).not.toContain('cluster=');
});

test('the state of a zone is a set: one of its states is 1', async () => {
	const metrics = newMetrics();
	metrics.changed(aView({forecast: aForecast({zones: [aZoneForecast({state: 'PartialDisruption'})]})}));
	const lines = (await textOf(metrics))
		.split('\n')
		.filter((line) => line.startsWith('evictwatch_zone_state{'));
	expect(lines).toEqual([
		'evictwatch_zone_state{zone="eu/a",state="Initial"} 0',
		'evictwatch_zone_state{zone="eu/a",state="Normal"} 0',
		'evictwatch_zone_state{zone="eu/a",state="PartialDisruption"} 1',
		'evictwatch_zone_state{zone="eu/a",state="FullDisruption"} 0',
	]);
});

test('pending evictions are counted by their medians, the shorter horizons within the longer', async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	const text = await textOf(metrics);
	for (const [zone, horizon, count] of [
		['eu/a', '1m', 1],
		['eu/a', '5m', 2],
		['eu/a', '15m', 3],
		['eu/b', '15m', 0],
	]) {
		expect(text).toContain(`evictwatch_pending_evictions{zone="${zone}",horizon="${horizon}"} ${count}\n`);
	}
	expect(text).toContain('evictwatch_next_eviction_seconds{zone="eu/a",bound="earliest"} 20\n');
	expect(text).toContain('evictwatch_next_eviction_seconds{zone="eu/a",bound="expected"} 30\n');
	expect(text).not.toContain('evictwatch_next_eviction_seconds{zone="eu/b"');
	expect(text).toContain('evictwatch_pods{verdict="Unsure"} 1\n');
});

test('what is no longer there is absent, not stale', async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	await textOf(metrics);
	metrics.changed(aView({forecast: aForecast({zones: [aZoneForecast({zone: 'eu/c'})]})}));
	const text = await textOf(metrics);
	expect(text).not.toContain('eu/a');
	expect(text).toContain('zone="eu/c"');
});

test('before the first view there is only the process itself', async () => {
	const text = await textOf(newMetrics());
	expect(text).toMatch(/^evictwatch_build_info\{version="1\.2\.3",node_version="v[\d.]+"\} 1$/m);
	expect(text).toMatch(/^process_cpu_seconds_total \d/m);
	expect(text).not.toMatch(/^evictwatch_(synced|pods|controller_up)/m);
});

test("a lease that may not be read leaves the controller's metrics out", async () => {
	const metrics = newMetrics();
	metrics.changed(aView({controller: {isUp: null, leader: null, leaderSince: null, renewedAt: null}}));
	expect(await textOf(metrics)).not.toMatch(/^evictwatch_controller_/m);
	metrics.changed(aView());
	const text = await textOf(metrics);
	expect(text).toContain('evictwatch_controller_up 1\n');
	expect(text).toContain('evictwatch_controller_leader_age_seconds 3600\n');
	expect(text).toContain('evictwatch_controller_lease_age_seconds 2\n');
});

test('errors of predictions are a histogram of distances, and outcomes say on which side', async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	metrics.matched(aMatch());
	metrics.matched(aMatch({error: -20_000, isInside: false}));
	metrics.matched(aMatch({error: 90_000, isInside: false, action: 'DeletePod'}));
	for (const error of [0, 100]) metrics.matched(aMatch({error, action: 'DeletePodForDevice'}));
	const text = await textOf(metrics);
	expect(text).toContain('evictwatch_prediction_error_seconds_bucket{le="1",action="TaintNode"} 0\n');
	expect(text).toContain('evictwatch_prediction_error_seconds_bucket{le="2.5",action="TaintNode"} 1\n');
	expect(text).toContain('evictwatch_prediction_error_seconds_bucket{le="30",action="TaintNode"} 2\n');
	expect(text).toContain('evictwatch_prediction_error_seconds_sum{action="TaintNode"} 21.5\n');
	expect(text).toContain('evictwatch_predictions_total{action="TaintNode",outcome="inside"} 1\n');
	expect(text).toContain('evictwatch_predictions_total{action="TaintNode",outcome="before"} 1\n');
	expect(text).toContain('evictwatch_predictions_total{action="DeletePod",outcome="after"} 1\n');
	expect(text).toContain('evictwatch_node_collector_evictions_total{zone="eu/a"} 2\n');
	expect(text).toContain('evictwatch_taint_eviction_controller_pod_deletions_total 1\n');
	expect(text).toContain('evictwatch_device_taint_eviction_controller_pod_deletions_total 2\n');
});

test('an unexpected action counts once, however often it is told', async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	const unexpected = aDivergence({kind: 'Unexpected', action: 'TaintNode', expected: null, actual: now});
	metrics.diverged(unexpected);
	metrics.diverged({...unexpected, endedAt: now});
	metrics.diverged(aDivergence({kind: 'Missing', action: 'TaintNode'}));
	expect(await textOf(metrics)).toContain('evictwatch_node_collector_evictions_total{zone="eu/a"} 1\n');
});

test('what is told to be old is the last look, and not a forecast that serves several', async () => {
	const metrics = newMetrics();
	metrics.changed(aView({observedAt: now - 2000, forecast: aForecast({observedAt: now - 90_000})}));
	expect(await textOf(metrics)).toMatch(
		/^# HELP evictwatch_forecast_age_seconds .*latest look.*\n.*\nevictwatch_forecast_age_seconds 2$/m,
	);
});

test('divergences that last are told by kind, reason and whether they are an alarm', async () => {
	const metrics = newMetrics();
	metrics.changed(
		aView({
			divergences: [
				aDivergence(),
				aDivergence({id: 'b', isAlarm: false, reason: 'ObservationGap'}),
				aDivergence({id: 'c', endedAt: now}),
			],
			divergenceCounts: {Late: 2, Early: 0, Missing: 7, Unexpected: 1},
			gaps: [{from: now - 9000, until: null, reason: 'leases'}],
			gapCount: 4,
			disrupted: new Map([['PreemptionByScheduler', 3]]),
		}),
	);
	const text = await textOf(metrics);
	expect(text).toContain('evictwatch_open_divergences{kind="Missing",reason="Unexplained",alarm="true"} 1\n');
	expect(text).toContain(
		'evictwatch_open_divergences{kind="Missing",reason="ObservationGap",alarm="false"} 1\n',
	);
	expect(text).toContain('evictwatch_alarms 1\n');
	expect(text).toContain('evictwatch_pods_disrupted_by_others_total{by="PreemptionByScheduler"} 3\n');
	expect(text).toContain('evictwatch_divergences_total{kind="Missing"} 7\n');
	expect(text).toContain('evictwatch_watch_gaps_total 4\n');
	expect(text).toContain('evictwatch_watch_gap_seconds 9\n');
});

const podsOf = (workload: string, count: number): Forecast['pods'] =>
	Array.from({length: count}, (_, index) =>
		aPodForecast({
			name: `${workload}-${index}`,
			owner: {kind: 'StatefulSet', name: workload, uid: workload},
			eviction: inSeconds(60),
		}),
	);

test('workloads have a series only where that was asked for, and no more than asked for', async () => {
	const pods = [...podsOf('db', 2), ...podsOf('cart', 5), ...podsOf('mail', 1)];
	const view = aView({forecast: aForecast({zones: [aZoneForecast()], pods})});
	const silent = newMetrics();
	silent.changed(view);
	expect(await textOf(silent)).not.toContain('workload');
	const metrics = newMetrics(2);
	metrics.changed(view);
	const series = (text: string) => text.split('\n').filter((line) => line.startsWith('evictwatch_workload_'));
	expect(series(await textOf(metrics))).toEqual([
		'evictwatch_workload_pending_evictions{namespace="shop",kind="StatefulSet",workload="cart"} 5',
		'evictwatch_workload_pending_evictions{namespace="shop",kind="StatefulSet",workload="db"} 2',
		'evictwatch_workload_pending_evictions{namespace="_other",kind="_other",workload="_other"} 1',
	]);
	metrics.changed(aView({forecast: aForecast({pods: podsOf('mail', 30)})}));
	expect(series(await textOf(metrics))).toEqual([
		'evictwatch_workload_pending_evictions{namespace="shop",kind="StatefulSet",workload="cart"} 0',
		'evictwatch_workload_pending_evictions{namespace="shop",kind="StatefulSet",workload="db"} 0',
		'evictwatch_workload_pending_evictions{namespace="_other",kind="_other",workload="_other"} 30',
	]);
});

test('zones share a label once there are too many, and are still all counted', async () => {
	const metrics = newMetrics();
	const zones = Array.from({length: 300}, (_, index) => aZoneForecast({zone: `eu/z${index}`, size: 1}));
	metrics.changed(aView({forecast: aForecast({zones})}));
	const sizes = (await textOf(metrics)).match(/^evictwatch_node_collector_zone_size\{.*$/gm) ?? [];
	expect(sizes).toHaveLength(201);
	expect(sizes.at(-1)).toBe('evictwatch_node_collector_zone_size{zone="_other"} 100');
});

test('differences to the controllers have no more zones than other metrics', async () => {
	const metrics = newMetrics();
	const {zoneLabels} = metrics;
	const differences = Array.from(
		{length: 300},
		(_, index): Sample => [{metric: 'zone_size', zone: `z${index}`}, 1],
	);
	for (const family of comparisonFamilies) metrics.add(family, () => ({isUp: true, differences, zoneLabels}));
	const text = await textOf(metrics);
	expect(text.match(/^evictwatch_controller_metric_difference\{.*$/gm)).toHaveLength(200);
	expect(text).toContain('evictwatch_controller_metric_difference{metric="zone_size",zone="z199"} 1\n');
});

test('no two families share a name, not even without the ending that marks a counter', async () => {
	const {text} = await newMetrics(1).exposition('application/openmetrics-text');
	const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
	expect(new Set(names).size).toBe(names.length);
});

test('a name of the cluster cannot break out of its label', async () => {
	const metrics = newMetrics();
	const zone = 'eu/"}\n\\evil{x="';
	metrics.changed(aView({forecast: aForecast({zones: [aZoneForecast({zone})]})}));
	expect(await textOf(metrics)).toContain(
		'evictwatch_node_collector_zone_size{zone="eu/\\"}\\n\\\\evil{x=\\""} 10\n',
	);
});

test('both formats can be had in any order, and name counters by their own rules', async () => {
	const metrics = newMetrics();
	metrics.changed(aView());
	const [openFirst, plain, openAgain] = await Promise.all([
		metrics.exposition('application/openmetrics-text;version=1.0.0'),
		metrics.exposition('*/*'),
		metrics.exposition('application/openmetrics-text;version=1.0.0'),
	]);
	expect(openFirst.contentType).toMatch(/^application\/openmetrics-text/);
	expect(openFirst.text).toMatch(/# TYPE evictwatch_watch_gaps counter\nevictwatch_watch_gaps_total 0\n/);
	expect(openFirst.text).toMatch(/\n# EOF\n$/);
	expect(plain.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
	expect(plain.text).toMatch(/# TYPE evictwatch_watch_gaps_total counter\nevictwatch_watch_gaps_total 0\n/);
	expect(plain.text).not.toContain('# EOF');
	expect(openAgain.text.replaceAll(/^(process|nodejs)_.*$/gm, '')).toBe(
		openFirst.text.replaceAll(/^(process|nodejs)_.*$/gm, ''),
	);
});
