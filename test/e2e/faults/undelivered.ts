import {cpSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {mapWithConcurrency} from '../../../src/async/mapWithConcurrency.ts';
import {type Duration, second} from '../../../src/core/time/instant.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {HttpProxy} from '../../support/faults/httpProxy.ts';
import {mergePatch} from '../apiClient.ts';
import type {Check} from '../judge.ts';
import {startPlugin} from '../plugin.ts';
import {freePorts} from '../processes.ts';
import type {Session} from '../session.ts';
import {end, type Run, reportOf, runOf, untrueOf} from './frozen.ts';
import {frozenDemo, startBuilt} from './frozenServers.ts';

/** A server whose watches stay open, and begin to leave out what lists show. */
export type Undelivering = {
	readonly name: string;
	/** The node that really fails. */
	readonly victim?: string;
	/** The arguments that lead a command to it. */
	readonly access: readonly string[];
	readonly start: (args: readonly string[]) => Run['child'];
	readonly begin: () => Promise<void>;
	/** Whether it begins before the commands do. */
	readonly isFromFirst?: boolean;
	/** Whether a new list is all that is needed. */
	readonly isCuredByList?: boolean;
};

/** How long it is watched before it begins, and after. */
const [calm, length]: readonly [Duration, Duration] = [15 * second, 75 * second];

/** Follows such a server by each command, and judges what they say. */
export async function isNotFooled(
	server: Undelivering,
	file: string,
	folder: string,
): Promise<readonly Check[]> {
	const [port = 0] = await freePorts(1);
	const recording = join(folder, `${server.name}.jsonl`);
	if (server.isFromFirst) await server.begin();
	const runs = [
		['nodes', '-w'],
		['pods', '-A', '-w'],
		['shadow', '--listen', `127.0.0.1:${port}`],
		['record', recording],
	].map((args) => runOf(server.start(args), args.slice(0, 2).join(' ')));
	const dashboard = new PtyProgram(file, [...server.access], {
		...(process.env as Record<string, string>),
		TERM: 'xterm-256color',
	});
	await sleep(calm);
	if (!server.isFromFirst) await server.begin();
	await sleep(length);
	const screen = dashboard.text();
	const metrics = await textOf(port, 'metrics');
	const ready = await textOf(port, 'readyz');
	dashboard.kill('SIGINT');
	dashboard.kill('SIGKILL');
	await Promise.all(runs.map(end));
	const report = await reportOf(server, recording);
	const name = (what: string) => `${what} (${server.name})`;
	const says = (text: string) => (/interrupted/.test(text) ? [] : [`did not say that it is blind: ${text}`]);
	const isBlind = server.isCuredByList !== true;
	// Leases in a restored etcd are as old as the copy until their kubelets renew them: nobody can be sure of such a node.
	const untrue = (text: string) =>
		untrueOf(text, server.victim, isBlind ? undefined : /\bSilent\b|\bUnknown\b/);
	const wrongMetrics = metrics
		.split('\n')
		.filter((line) => /^evictwatch_controller_up 0|^evictwatch_nodes\{verdict="Silent"\} [^0]/.test(line))
		.filter((line) => server.victim === undefined || line !== 'evictwatch_nodes{verdict="Silent"} 1');
	return [
		...runs.map(({what, out, err}) => ({name: name(what), failures: [...says(err), ...untrue(out)]})),
		{name: name('dashboard'), failures: [...(isBlind ? says(screen) : []), ...untrue(screen)]},
		{
			name: name('metrics'),
			failures: [
				...wrongMetrics,
				...(/^evictwatch_watch_gaps_total [1-9]/m.test(metrics) ? [] : ['no gap is counted']),
				...((ready === 'ok\n') === isBlind ? [`/readyz: ${ready}`] : []),
			],
		},
		{
			name: name('report'),
			failures: /no controller manager runs|had not been predicted|\bSilent\b/.test(report) ? [report] : [],
		},
	];
}

async function textOf(port: number, path: string): Promise<string> {
	return (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
}

const bookmarkOf = (line: string): string => {
	const {object} = JSON.parse(line) as {object: {metadata: {resourceVersion: string}}};
	return JSON.stringify({
		type: 'BOOKMARK',
		object: {metadata: {resourceVersion: object.metadata.resourceVersion}},
	});
};

/** What a proxy in front of the demo makes of each line of a watch. */
const modes: readonly {
	readonly name: string;
	readonly isFromFirst?: boolean;
	readonly isUnended?: boolean;
	readonly event: (line: string) => readonly string[];
}[] = [
	{name: 'a proxy that holds watches back', event: () => []},
	{name: 'a proxy that holds watches back from the first second', isFromFirst: true, event: () => []},
	{name: 'watches with bookmarks alone', event: (line) => [bookmarkOf(line)]},
	{name: 'watches with half lines', isUnended: true, event: (line) => [line.slice(0, 40)]},
];

/** The real API server, whose etcd is restored from a copy that was made before: its resourceVersions go back. */
export async function playRestored(
	{cluster, processes, folder, signal}: Session,
	file: string,
): Promise<readonly Check[]> {
	const {controlPlane, admin} = cluster;
	const copy = join(folder, 'etcd-copy');
	const whileStopped = async (act: () => void) => {
		for (const name of ['controller-manager', 'apiserver', 'etcd']) await processes.kill(name);
		act();
		controlPlane.startEtcd();
		await controlPlane.startApiServer();
		controlPlane.startControllerManager();
	};
	await whileStopped(() => cpSync(controlPlane.etcdFolder, copy, {recursive: true}));
	const plugin = {file, kubeconfig: controlPlane.viewerKubeconfig, signal};
	return isNotFooled(
		{
			name: 'the real API server after a restore of etcd',
			access: ['--kubeconfig', controlPlane.viewerKubeconfig],
			isCuredByList: true,
			start: (args) => (args[0] === 'report' ? startBuilt(file, args) : startPlugin(plugin, args)),
			begin: async () => {
				// The restored versions must not catch up at once.
				for (let change = 0; change < 500; change += 1)
					await admin.request(
						'PATCH',
						'/api/v1/nodes/a-1',
						{metadata: {labels: {change: `${change}`}}},
						mergePatch,
					);
				await whileStopped(() => {
					rmSync(controlPlane.etcdFolder, {recursive: true});
					renameSync(copy, controlPlane.etcdFolder);
				});
			},
		},
		file,
		folder,
	);
}

/** Plays each mode on a demo of its own, two at a time: six processes belong to each. */
export async function playUndelivered(file: string, folder: string): Promise<readonly Check[]> {
	const checks = await mapWithConcurrency(
		modes,
		async ({name, isFromFirst = false, isUnended = false, event}) => {
			await using demo = await frozenDemo(file);
			await using proxy = await HttpProxy.start({url: demo.url});
			const access = ['-s', `http://127.0.0.1:${proxy.port}`];
			const server: Undelivering = {
				...{name, access, isFromFirst, ...(demo.victim !== undefined && {victim: demo.victim})},
				start: (args) => startBuilt(file, [...args, ...(args[0] === 'report' ? [] : access)]),
				begin: async () => {
					proxy.meddle({matches: ({isWatch}) => isWatch, event, isUnended});
					// Watches that are open end, and are opened again by then.
					proxy.cutWatches();
				},
			};
			return await isNotFooled(server, file, folder);
		},
		2,
	);
	return checks.flat();
}
