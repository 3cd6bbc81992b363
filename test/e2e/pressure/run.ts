import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {mergePatch} from '../apiClient.ts';
import type {Check} from '../judge.ts';
import {followPressure, type Report} from '../pressureForecasts.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {checkFaults} from './faults.ts';
import {type Eviction, SqueezedKubelet} from './squeezedKubelet.ts';

const {
	values: {plugin},
} = parseArgs({options: {plugin: {type: 'string', default: builtPlugin}}});

const node = 'a-1';
/** Mebibytes of 8Gi: memory falls below the threshold of 500Mi about fifty seconds after the start. */
const leaks = [
	{name: 'calm', start: 2000, growth: 0, request: 3000},
	{name: 'leak', start: 3500, growth: 14, request: 500},
	{name: 'spare', start: 1000, growth: 0, request: 0, priority: 0},
];
const patience = 120_000;

process.exit(await runSession(compare, plugin, {layout: {a: 1}, podKinds: {}}));

/** Compares what `pressure -w` predicts for a node through the real API server with what its kubelet does. */
async function compare({cluster: {admin, controlPlane}, folder, signal}: Session): Promise<number> {
	const uids = new Map<string, string>();
	for (const {name, request} of leaks) {
		const resources = {requests: {memory: `${request}Mi`}};
		const containers = [{name: 'app', image: 'none', resources}];
		const pod = {metadata: {name}, spec: {nodeName: node, containers}};
		const {metadata} = await admin.request<{metadata: {uid: string}}>(
			'POST',
			'/api/v1/namespaces/default/pods',
			pod,
		);
		uids.set(name, metadata.uid);
	}
	const kubelet = new SqueezedKubelet(leaks, uids, join(folder, 'pki'));
	const evicted = Promise.withResolvers<Eviction>();
	const {address, port} = await kubelet.start(evicted.resolve);
	const status = {
		// The address type that the API server prefers.
		addresses: [{type: 'Hostname', address}],
		daemonEndpoints: {kubeletEndpoint: {Port: port}},
	};
	await admin.request('PATCH', `/api/v1/nodes/${node}/status`, {status}, mergePatch);
	const reports: Report[] = [];
	const followed = {file: String(plugin), kubeconfig: controlPlane.viewerKubeconfig, signal};
	const follower = followPressure(followed, node, (report) => gather(report, reports));
	const timeout = setTimeout(() => evicted.reject(new Error('nothing was evicted in time')), patience);
	const eviction = await evicted.promise.finally(() => {
		clearTimeout(timeout);
		follower.kill();
	});
	say(`${eviction.pod} evicted: ${eviction.message}`);
	const user = {name: 'viewer', kubeconfig: controlPlane.viewerKubeconfig};
	const faulty = () => checkFaults(String(plugin), user, node, (fault) => kubelet.answerWith(fault));
	const checks = [...judge(reports, eviction), ...(await faulty().finally(() => kubelet.stop()))];
	for (const {name, failures} of checks) for (const line of failures) console.log(`FAILED  ${name}: ${line}`);
	return report(checks);
}

/** Collects a report, and prints its first prediction. */
function gather(report: Report, reports: Report[]): void {
	reports.push(report);
	const [first] = report.items[0]?.evictions ?? [];
	say(
		first
			? `${first.name} between ${first.eviction.earliest} and ${first.eviction.latest}`
			: `no eviction in sight; ${JSON.stringify([report.metadata.problems, report.items[0]?.gaps])}`,
	);
}

function judge(reports: readonly Report[], {pod, at}: Eviction): readonly Check[] {
	const before = reports.filter(({seenAt}) => seenAt < at);
	const predicted = before.map(({items}) => items[0]?.evictions[0]);
	const trended = predicted.slice(2);
	const wrong = trended.filter((one) => {
		if (one?.name !== pod) return true;
		const {earliest, latest} = one.eviction;
		return at < Date.parse(earliest) - 1000 || (latest !== null && at > Date.parse(latest) + 1000);
	});
	const last = trended.at(-1)?.eviction;
	const width = last?.latest ? Date.parse(last.latest) - Date.parse(last.earliest) : Number.POSITIVE_INFINITY;
	const off = last ? Math.abs(at - Date.parse(last.expected)) : Number.POSITIVE_INFINITY;
	const happened = `${pod} at ${new Date(at).toISOString()}`;
	return [
		{
			name: 'there were reports with a trend',
			failures: trended.length >= 2 ? [] : [`only ${before.length} reports`],
		},
		{
			name: 'each names the victim, and holds the time',
			failures: wrong.map((one) => `${happened}, but: ${JSON.stringify(one)}`),
		},
		{
			name: 'the last of them is no wider than a pass and a half',
			failures: width <= 15_000 ? [] : [`it is ${width} ms wide`],
		},
		{
			name: 'what it expects is no more than one pass from what happened',
			failures: off <= 10_000 ? [] : [`it is off by ${off} ms: ${happened}`],
		},
	];
}
