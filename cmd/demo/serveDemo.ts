import {once} from 'node:events';
import {formatDuration} from '../../src/dates/duration.ts';
import {timeOfDay} from '../../src/dates/format.ts';
import {type TimeZone, timeZoneWords} from '../../src/dates/timeZone.ts';
import {PortTakenError} from '../../src/demo/apiserver/apiServer.ts';
import {startDemo} from '../../src/demo/demo.ts';
import type {DemoScenario} from '../../src/demo/world/scenarios.ts';
import {systemClock} from '../../src/live/clock.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Terminal} from '../output/terminal.ts';

export async function serveDemo(
	scenario: DemoScenario,
	port: number,
	timeZone: TimeZone,
	terminal: Terminal,
) {
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
	const startedAt = systemClock.now();
	const server = await startDemo(scenario, {port, clock: systemClock.now, seed: 1}).catch(explain);
	const after = scenario.steps[0]?.after ?? 0;
	await terminal.print(
		`${scenario.name}: ${scenario.title}\n` +
			`Serving on ${server.url}; in another shell:\n` +
			`  kubectl evictwatch status -s ${server.url}\n` +
			`  kubectl evictwatch pods -A -w -s ${server.url}\n` +
			`  kubectl get pods -A -w -s ${server.url}\n` +
			`The outage starts in ${formatDuration(after)}, at ${timeOfDay(startedAt + after, timeZone)} (${timeZoneWords(startedAt, timeZone)}).\n`,
	);
	if (!stop.signal.aborted) await once(stop.signal, 'abort');
	await server.close();
	return 0;
}

function explain(error: unknown): never {
	if (!(error instanceof PortTakenError)) throw error;
	throw new UserError(error.message, 'choose another port, or --serve=0 for any that is free');
}
