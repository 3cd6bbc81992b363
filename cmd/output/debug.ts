import type {TrafficCounts} from '../../src/cluster/transport/traffic.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {Terminal} from './terminal.ts';

/** How often a watch says what it has cost so far. */
const reportEvery: Duration = 10 * second;

/** Runs a command; with `--debug` it says what that has cost: at its end, and as long as it runs. */
export async function withDebug<T>(
	run: () => Promise<T>,
	{debug}: {readonly debug: boolean},
	traffic: () => TrafficCounts,
	terminal: Terminal,
): Promise<T> {
	if (!debug) return run();
	const report = () =>
		terminal.printError(debugLine(traffic(), process.cpuUsage(), process.memoryUsage.rss()));
	const timer = setInterval(report, reportEvery);
	try {
		return await run();
	} finally {
		clearInterval(timer);
		await report();
	}
}

/** What the API server was asked and sent, and what we used ourselves. */
export function debugLine(
	{requests, bytes, watches, mostWatches}: TrafficCounts,
	{user, system}: {readonly user: number; readonly system: number},
	memory: number,
): string {
	const words = [
		`${requests} requests`,
		`${(bytes / 1e6).toFixed(1)} MB received`,
		`${watches} watches open (most: ${mostWatches})`,
		`${((user + system) / 1e6).toFixed(1)} s of processor time`,
		`${(memory / 1e6).toFixed(0)} MB of memory`,
	];
	return `debug: ${words.join(', ')}\n`;
}
