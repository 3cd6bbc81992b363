import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {readDump} from '../../src/recording/dump/dump.ts';
import {aForecaster} from '../support/aForecaster.ts';

const start = Date.UTC(2026, 0, 1);
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const minutes = (count: number) => 60 * count;
/** The time of the dumps, in seconds. */
const now = minutes(600);

type NodeFields = {
	/** How far the kubelet's clock is ahead, in seconds. */
	readonly clock?: number;
	/** How long ago it renewed. */
	readonly age?: number;
	/** When a controller set it to Unknown. */
	readonly unknownSince?: number;
	/** When its taints were added. */
	readonly tainted?: number;
	/** Whether the file has the API server's time of the renewal. */
	readonly isDated?: boolean;
};

function node(name: string, {clock = 0, age = 5, unknownSince, tainted, isDated}: NodeFields = {}) {
	const metadata = {name, uid: `uid-${name}`, creationTimestamp: time(0)};
	const status = unknownSince === undefined ? 'True' : 'Unknown';
	const heartbeat = {
		lastHeartbeatTime: time(now + clock - age - 100),
		lastTransitionTime: time(unknownSince ?? 10),
	};
	const taints = tainted === undefined ? [] : [{key: 'k', effect: 'NoSchedule', timeAdded: time(tainted)}];
	const writes = {managedFields: [{manager: 'kubelet', operation: 'Update', time: time(now - age)}]};
	return [
		{kind: 'Node', metadata, spec: {taints}, status: {conditions: [{type: 'Ready', status, ...heartbeat}]}},
		{
			kind: 'Lease',
			metadata: {name, namespace: 'kube-node-lease', creationTimestamp: time(0), ...(isDated && writes)},
			spec: {renewTime: time(now + clock - age), leaseDurationSeconds: 40},
		},
		{
			kind: 'Pod',
			metadata: {name: `pod-${name}`, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: time(0)},
			spec: {nodeName: name},
			status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]},
		},
	];
}

const leader = (age: number, acquired = 0) => ({
	kind: 'Lease',
	metadata: {name: 'kube-controller-manager', namespace: 'kube-system', creationTimestamp: time(0)},
	spec: {
		renewTime: time(now - age),
		acquireTime: time(acquired),
		leaseDurationSeconds: 15,
		holderIdentity: 'x',
	},
});

async function judge(objects: readonly object[], at?: number) {
	const text = JSON.stringify({kind: 'List', items: objects});
	const snapshot = await readDump(['-'], {
		stdin: Readable.from([text]),
		at: at === undefined ? undefined : start + at * 1000,
	});
	const forecaster = aForecaster(settingsFor('v1.36.3'), snapshot);
	const {nodes, pods, problems} = forecaster.forecast(snapshot.observedAt);
	return {
		at: (snapshot.observedAt - start) / 1000,
		problems: snapshot.problems,
		said: problems,
		node: (name: string) => nodes.find((one) => one.name === name),
		pod: (name: string) => pods.find((one) => one.node === name),
		explain: (name: string) => {
			const pod = pods.find((one) => one.node === name);
			const target = {kind: 'pod', namespace: pod?.namespace ?? '', name: pod?.name ?? ''} as const;
			return forecaster
				.explain(target, snapshot.observedAt)
				?.whyNot.find(({reason}) => reason === 'Undecided')?.what;
		},
		verdicts: Object.fromEntries(nodes.map(({name, verdict}) => [name, verdict])),
	};
}

const healthy = [...node('a'), ...node('b', {age: 2}), ...node('c', {age: 9})];
const allHealthy = {a: 'Healthy', b: 'Healthy', c: 'Healthy'};

test.for([
	{name: 'with a leader lease', others: [leader(1)], at: now - 1},
	{name: 'without one', others: [], at: now - 2},
])('one kubelet whose clock is hours ahead makes no other look silent, $name', async ({others, at}) => {
	const judged = await judge([...healthy, ...node('ahead', {clock: 3 * 3600}), ...others]);
	expect(judged.at).toBe(at);
	expect(judged.verdicts).toMatchObject(allHealthy);
	expect(judged.problems).toEqual([
		{
			reason: 'ClockSkew',
			message: expect.stringMatching(/^the clock of the kubelet is ahead on ahead by 1079\d s: /),
		},
	]);
});

test.for([80, 7900])('a time that is still to come, by %i years, does not count', async (years) => {
	const later = node('odd', {age: 300, unknownSince: now + years * 365 * 24 * 3600});
	const judged = await judge([...healthy, ...later, leader(1)]);
	expect(judged.at).toBe(now - 1);
	expect(judged.verdicts).toMatchObject(allHealthy);
	expect(judged.problems).toMatchObject([
		{reason: 'ClockSkew', message: expect.stringMatching(/^times of odd /)},
	]);
});

test.for([1, 24 * 365 * 80])(
	'what a kubelet whose clock is ahead by %i hours says is neither taken for life nor for death',
	async (hours) => {
		const judged = await judge([...healthy, ...node('ahead', {clock: hours * 3600}), leader(1)]);
		expect(judged.node('ahead')).toMatchObject({
			...{verdict: 'Silent', unknown: {latest: null}, lastRenewal: null},
		});
		// One clock is told of once.
		expect(judged.said.filter(({reason}) => reason === 'ClockSkew')).toEqual(judged.problems);
		expect(judged.pod('ahead')).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
		expect(judged.explain('ahead')).toMatch(
			/^nothing shows whether node ahead is alive, as the clock of its kubelet is wrong/,
		);
		expect(judged.pod('a')?.verdict).toBe('Safe');
	},
);

test('a rack of kubelets that are ahead is outvoted by the controllers and the rest', async () => {
	const rack = ['r1', 'r2', 'r3'].flatMap((name) => node(name, {clock: 1800}));
	const judged = await judge([...healthy, ...rack, leader(1)]);
	expect(judged.at).toBe(now - 1);
	expect(judged.verdicts).toMatchObject(allHealthy);
	expect(judged.problems[0]?.message).toMatch(/ahead on r1 by \d+ s, r2 by \d+ s, r3 by \d+ s: /);
});

test('times that the API server wrote decide alone', async () => {
	const ahead = node('ahead', {clock: 3600, isDated: true});
	const judged = await judge([...node('a', {age: 2, isDated: true}), ...ahead]);
	expect(judged.at).toBe(now - 2);
	expect(judged.verdicts).toEqual({a: 'Healthy', ahead: 'Healthy'});
	expect(judged.problems.map(({reason}) => reason)).toEqual(['ClockSkew']);
});

test('the kubelets outlive a controller that is down: all of them agree', async () => {
	const judged = await judge([...healthy, leader(900)]);
	expect(judged.at).toBe(now - 2);
	expect([judged.verdicts, judged.problems]).toEqual([allHealthy, []]);
});

test('nodes that died lately do not outvote those that live', async () => {
	const dead = ['d1', 'd2', 'd3', 'd4', 'd5'].flatMap((name) => node(name, {age: 55}));
	const judged = await judge([...healthy, ...dead]);
	expect(judged.at).toBe(now - 2);
	expect(judged.verdicts).toMatchObject({...allHealthy, d1: 'Silent'});
	expect(judged.problems).toEqual([]);
});

test('nodes that were found dead do not outvote those that live', async () => {
	const dead = ['d1', 'd2', 'd3', 'd4', 'd5'].flatMap((name) =>
		node(name, {age: 900, unknownSince: now - 850}),
	);
	const judged = await judge([...healthy, ...dead]);
	expect([judged.at, judged.problems]).toEqual([now - 2, []]);
});

test('where all nodes were found dead, what the controllers wrote of them tells the time', async () => {
	const dead = ['d1', 'd2'].flatMap((name) => node(name, {age: 900, unknownSince: now - 850}));
	expect((await judge(dead)).at).toBe(now - 850);
});

test('a taint from the far future does not refuse a sane --at', async () => {
	const objects = [...healthy, ...node('t', {tainted: now + 1_000_000}), leader(1)];
	const judged = await judge(objects, now + 3);
	expect(judged.at).toBe(now + 3);
	// The lease of `c` is overdue by one renewal then.
	expect(judged.verdicts).toEqual({...allHealthy, c: 'Late', t: 'Healthy'});
});

test('a kubelet whose clock is minutes behind is not firmly called silent', async () => {
	const judged = await judge([...healthy, ...node('slow', {clock: -minutes(5)}), leader(1)]);
	expect(judged.problems).toEqual([]);
	expect(judged.said).toEqual([
		{
			reason: 'NodeLifecycleMissing',
			message: expect.stringContaining('or a kubelet renews with a clock that is far behind: of slow'),
		},
	]);
	expect(judged.node('slow')).toMatchObject({verdict: 'Silent', unknown: {latest: null}});
	expect(judged.pod('slow')).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
	const {earliest = 0} = judged.node('slow')?.unknown ?? {};
	expect((earliest - start) / 1000 - judged.at).toBeLessThan(10);
});

test('the same kubelet is well where the file tells when its renewals arrived', async () => {
	const judged = await judge([...healthy, ...node('slow', {clock: -minutes(5), isDated: true}), leader(1)]);
	expect(judged.node('slow')?.verdict).toBe('Healthy');
	expect(judged.problems).toEqual([]);
});

test.for([
	{name: 'a silence that no controller can have noticed yet', age: 50, others: [leader(1)]},
	{name: 'a controller that has just started', age: 200, others: [leader(1, now - 30)]},
	{name: 'a controller that is down', age: 200, others: [leader(300)]},
])('$name is a silence, not a wrong clock', async ({age, others}) => {
	const judged = await judge([...healthy, ...node('d', {age}), ...others]);
	expect(judged.node('d')?.verdict).toBe('Silent');
	expect(judged.said).toEqual([]);
});

test('an --at long after the file is said to be too late', async () => {
	const {problems} = await judge([...healthy, leader(1)], now + minutes(60));
	expect(problems).toEqual([
		{
			reason: 'StaleDump',
			message: expect.stringMatching(/^--at is 3601 s after the newest time in the file, /),
		},
	]);
});

test('an --at before the file counts too, and that is said', async () => {
	const judged = await judge([...healthy, leader(1)], now - 90);
	expect(judged.at).toBe(now - 90);
	expect(judged.problems).toEqual([
		{
			reason: 'StaleDump',
			message: expect.stringMatching(/^--at is 89 s before the newest time in the file, /),
		},
	]);
});

test('what a controller wrote of a dead node outvotes the old times of pods elsewhere', async () => {
	const [dead = {}, , pod = {}] = node('d', {age: 400, unknownSince: now - 100});
	const spec = {
		taints: [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: time(now - 95)}],
	};
	const old = [{type: 'Ready', status: 'True', lastTransitionTime: time(now - 80_000)}];
	const others = ['a', 'b', 'c'].map((name) => ({
		...{kind: 'Pod', metadata: {name, namespace: 'shop', uid: name, creationTimestamp: time(0)}},
		...{spec: {nodeName: name}, status: {phase: 'Running', conditions: old}},
	}));
	const judged = await judge([{...dead, spec}, pod, ...others]);
	expect(judged.at).toBe(now - 95);
	expect(judged.problems.map(({reason}) => reason)).not.toContain('ClockSkew');
});

test('an --at shortly after the file is none', async () => {
	expect((await judge([...healthy, leader(1)], now + 14)).problems).toEqual([]);
	const {problems} = await judge([...healthy, leader(1)], now + 30);
	expect(problems.map(({reason}) => reason)).toEqual(['StaleDump']);
});

test('in a file without leases, statuses of kubelets are minutes apart, and the newest tells the time', async () => {
	const withoutLeases = (nodes: readonly {readonly kind: string}[]) =>
		nodes.filter(({kind}) => kind !== 'Lease');
	const dead = node('dead', {age: 300, unknownSince: now - 280});
	const judged = await judge(withoutLeases([...node('a'), ...node('b', {age: 200}), ...dead]));
	expect(judged.at).toBe(now - 105);
	expect(judged.problems.map(({reason}) => reason)).not.toContain('ClockSkew');
	const skewed = await judge(withoutLeases([...healthy, ...node('ahead', {clock: 3600})]));
	expect(skewed.at).toBe(now - 102);
});
