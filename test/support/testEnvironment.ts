import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Timing} from '../../src/async/timing.ts';
import type {Environment} from '../../src/cluster/access/environment.ts';

/** A folder that exists as long as its test. */
export class TemporaryFolder {
	readonly path = mkdtempSync(join(tmpdir(), 'evictwatch-test-'));

	/** Writes a file (as JSON, if it is not text), and returns its path. */
	write(name: string, content: unknown): string {
		const file = join(this.path, name);
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
		return file;
	}

	[Symbol.dispose](): void {
		rmSync(this.path, {recursive: true});
	}
}

/** An empty environment: no home, no in-cluster credentials, no terminal. */
export const bareEnvironment = (changes: Partial<Environment> = {}): Environment => ({
	env: {},
	homeDirectory: '/nonexistent/home',
	rootDirectory: '/nonexistent',
	isInteractive: false,
	writeError: () => undefined,
	showForeign: () => undefined,
	lendTerminal: (use) => use(),
	platform: process.platform,
	fileExists: existsSync,
	...changes,
});

/** Timing whose waits take no time; their durations are recorded. */
export function instantTiming(changes: Partial<Timing> = {}): Timing & {readonly waits: number[]} {
	const waits: number[] = [];
	return {
		now: Date.now,
		// No time passes, so no silence is ever detected.
		elapsed: () => 0,
		// Frequent, but leaves the processor to other work.
		nextLook: () => new Promise((resolve) => setTimeout(resolve, 5)),
		lookPeriod: 100,
		// Yields to the event loop, so that a loop of waits does not starve the network.
		sleep: async (duration) => {
			waits.push(duration);
			await new Promise((resolve) => setImmediate(resolve));
		},
		random: () => 0,
		answerTimeout: 10_000,
		// A plugin is a process, and runs in real time.
		pluginTimeout: () => 60_000,
		silenceTimeout: 10_000,
		livelySilenceTimeout: 10_000,
		waits,
		...changes,
	};
}

/**
 * A clock that advances with each look: a silence of seconds takes a moment, and an answer has the same number of event loop
 * turns to arrive on a machine of any speed.
 */
export function timeByLooks(): Pick<Timing, 'elapsed' | 'nextLook' | 'lookPeriod'> {
	let elapsed = 0;
	return {
		elapsed: () => elapsed,
		lookPeriod: 100,
		nextLook: async () => {
			await new Promise((resolve) => setTimeout(resolve, 5));
			elapsed += 100;
		},
	};
}
