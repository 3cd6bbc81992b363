import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {encodeLease, encodeNode, encodePod} from '../../src/cluster/codec/encodeObject.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {isUnknownNode} from '../../src/core/model/node.ts';
import type {Observation, SinkEntry} from '../../src/core/model/observation.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {serverTime} from '../../src/demo/encode/encodeMeta.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {podChooser} from '../../src/session/podChooser.ts';
import {watchOutage} from '../forecast/settings/watchedOutage.ts';
import {FakeApiServer, type RawObject, type Resource} from '../support/fakeApiServer.ts';
import {learningWatcher} from '../support/learningWatcher.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

const startedAt = Date.UTC(2026, 0, 1);
/** The watch begins with the first batch after this, when the cluster is healthy. */
const beginsAt = 30 * second;

let server: FakeApiServer;
let stack: AsyncDisposableStack;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	server = stack.use(await FakeApiServer.start());
});
afterEach(() => stack.disposeAsync());

/** The evidence of a cluster that shows none of its controllers' flags. */
const hidden: SettingsEvidence = {
	flags: {},
	versionFlag: undefined,
	serverVersion: 'v1.36.3',
	controlPlane: unseenControlPlane('hidden'),
};

type Batch = {readonly observations: readonly Observation[]; readonly at: Instant};

/** One node of six becomes silent, under a controller with a grace period of 35 s. */
function outage(): readonly Batch[] {
	const batches: Batch[] = [];
	watchOutage(
		{
			settings: {nodeMonitorGracePeriod: 35 * second},
			zones: {a: 3, b: 3},
			podsPerNode: 2,
			steps: [{at: 2 * minute, do: 'stop', nodes: ['a1']}],
			until: 3 * minute,
		},
		(observations, at) => batches.push({observations, at: startedAt + at}),
	);
	return batches;
}

/** Converts times since the start of the simulation to the test's time. */
const dated = <T extends object>(object: T): T =>
	JSON.parse(JSON.stringify(object), (key, value) =>
		typeof value === 'number' && /(At|Time|timeAdded)$/.test(key) ? startedAt + value : value,
	);

function tell(observation: Observation): void {
	const put = (resource: Resource, object: unknown) => server.apply(resource, object as RawObject);
	if (observation.type === 'nodeApplied') put('nodes', encodeNode(dated(observation.node), serverTime));
	if (observation.type === 'leaseApplied') put('leases', encodeLease(dated(observation.lease), serverTime));
	if (observation.type === 'podApplied') put('pods', encodePod(dated(observation.pod), serverTime));
}

const graceOf = ({learner}: ReturnType<typeof learningWatcher>): string | undefined =>
	learner.resolved.list.find(({name}) => name === 'node-monitor-grace-period')?.source.detail;

test('a watch that reads the pods of a node once it falls silent learns the grace period from that node', async () => {
	let now = startedAt;
	server.clock = () => now;
	const watcher = learningWatcher(hidden);
	const timing = instantTiming({now: () => now});
	const cluster = await connect({server: server.url}, bareEnvironment(), timing);
	stack.defer(() => cluster.close());
	const chooser = podChooser({}, watcher.forecaster);
	const source = clusterSource(cluster, {pods: {type: 'chosen', chooser}}, undefined);
	const stop = new AbortController();
	const firstLooks: number[] = [];
	let batches = 0;
	const sink = {
		push: (entry: SinkEntry) => {
			if (entry.type !== 'batch') return;
			const {observations, provenance} = entry;
			if (provenance?.type === 'firstLook') firstLooks.push(observations.length);
			if (observations.length > 0) batches += 1;
			watcher.session.push(entry);
		},
	};
	let running: Promise<void> | undefined;
	stack.defer(async () => {
		stop.abort();
		await running;
	});
	for (const {observations, at} of outage()) {
		now = at;
		const before = batches;
		for (const one of observations) tell(one);
		if (at < startedAt + beginsAt) continue;
		running ??= source.run(sink, stop.signal);
		const isHeard = observations.some(({type}) => type === 'nodeApplied' || type === 'leaseApplied');
		if (isHeard) await expect.poll(() => batches, {interval: 1}).toBeGreaterThan(before);
		watcher.forecast(now);
	}
	expect(firstLooks).toEqual([2]);
	expect(graceOf(watcher)).toMatch(/node a1 turned Unknown/);
});

test('what the controllers did is thought over within a second, also right after the last time', () => {
	const watcher = learningWatcher(hidden);
	let unknownAt: Instant | undefined;
	for (const {observations, at} of outage()) {
		if (unknownAt !== undefined) break;
		// Until then the settings are learned anew each time.
		watcher.learner.learn(at);
		watcher.observe(dated([...observations]), at);
		if (observations.some((one) => one.type === 'nodeApplied' && isUnknownNode(one.node))) unknownAt = at;
	}
	expect(graceOf(watcher)).not.toContain('turned Unknown');
	watcher.learner.learn((unknownAt ?? 0) + second);
	expect(graceOf(watcher)).toMatch(/node a1 turned Unknown/);
});
