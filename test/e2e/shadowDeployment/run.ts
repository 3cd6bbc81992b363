import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {minute, second} from '../../../src/core/time/instant.ts';
import type {Check} from '../judge.ts';
import {freePorts} from '../processes.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {Program, until} from '../shadowOperations/program.ts';
import {accountKubeconfig, checkReading} from './account.ts';
import {checkManifests, hasKubectl} from './kubectl.ts';

// Tests the content of deploy on a real control plane: its manifests, and two shadows with only the rights of their account,
// while a node fails; compares with the real controllers' metrics. One of the two is killed during the test.

const deadNode = 'a-1';

const {
	values: {plugin},
} = parseArgs({options: {plugin: {type: 'string', default: builtPlugin}}});

if (!hasKubectl()) {
	console.log('skipped: there is no kubectl here: the manifests in deploy are not tried');
	process.exit(0);
}
const [port = 0] = await freePorts(1);
const flags = [
	...['--bind-address=127.0.0.1', `--secure-port=${port}`],
	'--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics',
];
process.exit(await runSession(compare, plugin, {layout: {a: 3, b: 3}, flags}));

async function compare({cluster, folder}: Session): Promise<number> {
	const {admin, controlPlane, fleet} = cluster;
	const checks: Check[] = [...checkManifests(controlPlane.adminKubeconfig)];
	say('the manifests are applied');
	const kubeconfig = await accountKubeconfig(admin, controlPlane.admin, folder);
	const shadow = Program.shadow(plugin, [
		...['--kubeconfig', kubeconfig, '--controller-metrics', `https://127.0.0.1:${port}/metrics`],
		'--controller-metrics-insecure-skip-tls-verify',
	]);
	const other = Program.shadow(plugin, ['--kubeconfig', kubeconfig]);
	const [url, otherUrl] = [await shadow.url(), await other.url()];
	const metrics = async () => (await fetch(`${url}/metrics`)).text();
	for (const each of [url, otherUrl]) {
		await until('it is ready', async () => (await fetch(`${each}/readyz`)).ok);
	}
	fleet.stop([deadNode]);
	say(`${deadNode} is dead`);
	await until('evictions are to come', async () => pending(await metrics()) > 0, 3 * minute);
	// Each updates its metrics once a second, and the evictions come closer all the time.
	await until('two replicas say the same', async () => {
		const pages = [url, otherUrl].map(async (each) => (await fetch(`${each}/metrics`)).text());
		const [ours, theirs] = (await Promise.all(pages)).map(pending);
		return ours === theirs;
	});
	checks.push({name: 'two replicas say the same', failures: []});
	await other.end('SIGKILL');
	await until('pods went', async () => /pod_deletions_total [1-9]/.test(await metrics()), 3 * minute);
	// The controllers count the failed node once a pass has marked it; the shadow's last comparison may be older than that.
	await sleep(35 * second);
	const differencesIn = (page: string) =>
		page.split('\n').filter((line) => line.startsWith('evictwatch_controller_metric_difference'));
	const isEqual = (line: string) => line.endsWith(' 0');
	let page = await metrics();
	for (const end = Date.now() + minute; Date.now() < end && !differencesIn(page).every(isEqual); ) {
		await sleep(second);
		page = await metrics();
	}
	const differences = differencesIn(page);
	checks.push(
		{
			name: "the controllers' own metrics are read, and are as ours",
			failures: [
				...(differences.length >= 6 ? [] : [`only ${differences.length} of them: ${shadow.lines.slice(-3)}`]),
				...differences.filter((line) => !isEqual(line)),
			],
		},
		{
			name: 'what they did was foretold',
			failures: /outcome="inside"\} [1-9]/.test(page) ? [] : ['nothing was'],
		},
	);
	checks.push({
		name: 'with the settings as they are, there is no alarm',
		failures: /^evictwatch_alarms 0$/m.test(page)
			? []
			: shadow.lines.filter((line) => /divergence/.test(line)),
	});
	await shadow.end();
	checks.push({
		name: 'nothing is missing that it asks for',
		failures: shadow.lines.filter((line) => /Forbidden|"level":"error"/.test(line)),
	});
	checks.push(...checkReading(controlPlane.auditLog));
	say('a shadow followed an outage');
	return report(checks);
}

/** The number of pods that a shadow expects to be evicted within a minute, over all zones. */
function pending(page: string): number {
	const samples = page.matchAll(/^evictwatch_pending_evictions\{.*horizon="1m"\} (\d+)$/gm);
	return [...samples].reduce((sum, [, count]) => sum + Number(count), 0);
}
