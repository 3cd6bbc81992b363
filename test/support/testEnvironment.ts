import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Timing} from '../../src/async/timing.ts';
import type {Environment} from '../../src/cluster/access/environment.ts';

/** A folder that lives as long as its test. */
export class TemporaryFolder {
	readonly path = mkdtempSync(join(tmpdir(), 'evictwatch-test-'));

	/** Writes a file (JSON where it is not text) and returns its path. */
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

/** Environment with nothing in them: no home, no cluster around, no terminal. */
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

/** Timing by which no wait takes any time; what was waited for is written down. */
export function instantTiming(changes: Partial<Timing> = {}): Timing & {readonly waits: number[]} {
	const waits: number[] = [];
	return {
		now: Date.now,
		// No time passes by which a silence would show.
		elapsed: () => 0,
		// Often, and without keeping the processor from everything else.
		nextLook: () => new Promise((resolve) => setTimeout(resolve, 5)),
		lookPeriod: 100,
		// A turn of the event loop, so that a loop of waits does not starve the network.
		sleep: async (duration) => {
			waits.push(duration);
			await new Promise((resolve) => setImmediate(resolve));
		},
		random: () => 0,
		answerTimeout: 10_000,
		// A plugin is a process, and time is real for it.
		pluginTimeout: () => 60_000,
		silenceTimeout: 10_000,
		livelySilenceTimeout: 10_000,
		waits,
		...changes,
	};
}

/**
 * A clock that goes on from look to look: a silence of seconds takes a moment, and an answer has the same turns of the event
 * loop to come in, however slow the machine is.
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
