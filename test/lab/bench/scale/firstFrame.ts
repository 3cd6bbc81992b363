import {PtyProgram} from '../../../cmd/pty.ts';
import type {Candidate} from './compare.ts';
import {cpuSecondsOf, peakMegabytesOf} from './program.ts';

/** A frame that has all it will have: the cluster was read, and what comes next is said. */
const wholeFrame = /● live[\s\S]*(NEXT EVICTIONS \d|nodes are well)/;
const patience = 600_000;

/** The dashboard on a terminal, from its start to the first frame that shows the cluster. */
export const firstFrame = (plugin: string, env: NodeJS.ProcessEnv): Candidate => ({
	name: "the dashboard's first frame",
	run: async () => {
		const startedAt = performance.now();
		const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
		const around = {...Object.fromEntries(set), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
		const dashboard = new PtyProgram(plugin, [], around, 120, 40);
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error(`no frame:\n${dashboard.text()}`)), patience);
		try {
			await Promise.race([dashboard.shows(wholeFrame), late.promise, endOf(dashboard)]);
			return {
				wallSeconds: (performance.now() - startedAt) / 1000,
				cpuSeconds: cpuSecondsOf(dashboard.pid),
				peakMegabytes: peakMegabytesOf(dashboard.pid),
			};
		} finally {
			clearTimeout(timer);
			dashboard.kill('SIGKILL');
			await dashboard.exited;
		}
	},
});

async function endOf({exited, written}: PtyProgram): Promise<never> {
	const {exitCode} = await exited;
	throw new Error(`the dashboard ended with ${exitCode} before its first frame: ${written}`);
}
