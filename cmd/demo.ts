import {once} from 'node:events';
import {UserError} from '../src/cluster/userError.ts';
import {PortTakenError} from '../src/demo/apiServer.ts';
import {startDemo} from '../src/demo/demo.ts';
import {type DemoScenario, scenarioNamed, scenarios} from '../src/demo/scenarios.ts';
import {systemClock} from '../src/live/clock.ts';
import {nearest} from './nearest.ts';
import type {Options} from './options.ts';
import type {Terminal} from './terminal.ts';
import {invalidValue, usageError} from './usageError.ts';

/** The command `demo`. */
export async function demo({names, flags}: Options, terminal: Terminal): Promise<number> {
	const scenario = chosenScenario(names);
	// The screen that plays a scenario is still to come; until then its API is all there is.
	if (flags.serve === undefined) throw usageError('demo needs --serve, and a second shell to look at it');
	return serve(scenario, portOf(flags.serve), terminal);
}

function chosenScenario([name = 'node-dies', ...more]: readonly string[]): DemoScenario {
	if (more.length > 0) throw usageError(`demo plays one scenario, not ${more.length + 1}`);
	const scenario = scenarioNamed(name);
	if (scenario) return scenario;
	const known = scenarios.map((candidate) => candidate.name);
	const suggestion = nearest(name, known);
	throw new UserError(
		`unknown scenario "${name}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`,
		`choose one of: ${known.join(', ')}`,
	);
}

function portOf(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port <= 65_535) return port;
	throw invalidValue('serve', text, 'want a port, 0 to 65535');
}

async function serve(scenario: DemoScenario, port: number, terminal: Terminal): Promise<number> {
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
	const server = await startDemo(scenario, {port, clock: systemClock.now, seed: 1}).catch(explain);
	await terminal.print(
		`${scenario.name}: ${scenario.title}\n` +
			`Serving on ${server.url}; in another shell:\n` +
			`  kubectl evictwatch pods -A -w -s ${server.url}\n` +
			`  kubectl get pods -A -w -s ${server.url}\n`,
	);
	if (!stop.signal.aborted) await once(stop.signal, 'abort');
	await server.close();
	return 0;
}

function explain(error: unknown): never {
	if (!(error instanceof PortTakenError)) throw error;
	throw new UserError(error.message, 'choose another port, or --serve=0 for any that is free');
}
