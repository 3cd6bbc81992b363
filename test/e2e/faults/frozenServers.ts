import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {second} from '../../../src/core/time/instant.ts';
import type {FaultServer} from '../../support/faults/faultServer.ts';
import {startPlugin} from '../plugin.ts';
import type {Session} from '../session.ts';
import type {Freezable} from './frozen.ts';

// The plugin's first line looks for node on PATH: it must find the one that runs this test.
const env = {...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`};

/** Starts the built program. */
export const startBuilt = (file: string, args: readonly string[]): ChildProcess =>
	spawn(file, [...args], {env});

/** When the demo's node fails, and when it is Unknown at the latest: in between, its failure is about to be reported. */
const [dying, silent] = [20 * second, 65 * second];

/** The demo's server in its own process, for which the built program is both server and client. One of its nodes fails. */
export async function frozenDemo(
	file: string,
): Promise<Freezable & AsyncDisposable & {readonly url: string}> {
	const demo = spawn(file, ['demo', 'node-dies', '--serve', '0'], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const url = await urlOf(demo);
	const startedAt = Date.now();
	return {
		url,
		name: "the demo's server",
		victim: 'b2',
		untilCalm: async () => {
			const passed = Date.now() - startedAt;
			if (passed > dying) await sleep(Math.max(0, silent - passed));
		},
		start: (args) => startBuilt(file, [...args, ...(isOfCluster(args) ? ['-s', url] : [])]),
		freeze: async () => {
			demo.kill('SIGSTOP');
			return async () => void demo.kill('SIGCONT');
		},
		[Symbol.asyncDispose]: async () => {
			const ended = once(demo, 'exit');
			demo.kill('SIGCONT');
			demo.kill('SIGKILL');
			await ended;
		},
	};
}

/** The real API server of a session. */
export const frozenReal = ({cluster, signal}: Session, server: FaultServer, file: string): Freezable => ({
	name: 'the real API server',
	start: (args) => {
		const plugin = {file, kubeconfig: cluster.controlPlane.viewerKubeconfig, signal};
		return isOfCluster(args) ? startPlugin(plugin, args) : startBuilt(file, args);
	},
	freeze: async () => {
		if (!server.freeze) throw new Error('it cannot be frozen');
		return server.freeze();
	},
});

const isOfCluster = ([command]: readonly string[]): boolean => command !== 'report';

async function urlOf(demo: ChildProcess): Promise<string> {
	let output = '';
	for await (const chunk of demo.stdout ?? []) {
		output += String(chunk);
		const url = /Serving on (\S+);/.exec(output)?.[1];
		if (url !== undefined) return url;
	}
	throw new Error(`the demo serves nothing: ${output}`);
}
