import {PtyProgram} from '../../../cmd/pty.ts';
import type {Candidate} from './compare.ts';
import {cpuSecondsOf, peakMegabytesOf} from './program.ts';

/** The whole cluster was read, and the next evictions are shown. */
const whole = /● live[\s\S]*(NEXT EVICTIONS \d|nodes are well)/;
/** Each zone is shown with its nodes; pods may still be loading. */
const withZones = /ZONE +STATE[^\n]*\n[^\n]*\d+\/\d+/;
const patience = 600_000;

/** The dashboard on a terminal, from its start to the first complete frame. */
export const firstFrame = (plugin: string, env: NodeJS.ProcessEnv): Candidate =>
	frame("the dashboard's first frame", whole, plugin, env);

/** The name of the row of the first frame with zones and nodes. */
export const zonesFrameName = 'its first frame with zones and nodes';

/** The same, to the first frame with zones and nodes. */
export const zonesFrame = (plugin: string, env: NodeJS.ProcessEnv): Candidate =>
	frame(zonesFrameName, withZones, plugin, env);

const frame = (name: string, shown: RegExp, plugin: string, env: NodeJS.ProcessEnv): Candidate => ({
	name,
	run: async () => {
		const startedAt = performance.now();
		const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
		const around = {...Object.fromEntries(set), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
		const dashboard = new PtyProgram(plugin, [], around, 120, 40);
		const late = Promise.withResolvers<never>();
		const timer = setTimeout(() => late.reject(new Error(`no frame:\n${dashboard.text()}`)), patience);
		try {
			await Promise.race([dashboard.shows(shown), late.promise, endOf(dashboard)]);
			const cost = {
				wallSeconds: (performance.now() - startedAt) / 1000,
				cpuSeconds: cpuSecondsOf(dashboard.pid),
				peakMegabytes: peakMegabytesOf(dashboard.pid),
			};
			// It is quit as by a user, because a killed program does not save its compile cache for the next start.
			dashboard.type('q');
			await Promise.race([dashboard.exited, late.promise]);
			return cost;
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
