import {maxOf} from '../../src/core/collections/extremes.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {type DemoScenario, scenarioNamed, scenarios} from '../../src/demo/world/scenarios.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {speedOf} from '../args/quantities.ts';
import {invalidValue, nearest, usageError} from '../args/usageError.ts';
import {hasScreen, type Terminal} from '../output/terminal.ts';

/** A simulated outage: the dashboard on a terminal, which asks for one if none is named, else an account of the first deletion. */
export async function demo(options: Options, terminal: Terminal) {
	const {names, flags, timeZone} = options;
	if (flags.list) {
		await terminal.print(scenarioList());
		return 0;
	}
	const scenario = chosenScenario(names);
	if (flags.serve !== undefined) {
		if (flags.speed !== undefined)
			throw usageError('--speed cannot be used with --serve: its clients use the real clock');
		const port = portOf(flags.serve);
		const {serveDemo} = await import('./serveDemo.ts');
		return serveDemo(scenario, port, timeZone, terminal);
	}
	const speed = speedOf(flags.speed);
	if (hasScreen()) {
		const {demoDashboard} = await import('./demoDashboard.ts');
		return demoDashboard(names.length === 0 ? undefined : scenario, speed, options);
	}
	const {printFirstDeletion} = await import('./demoStory.ts');
	return printFirstDeletion(scenario, speed, options, terminal);
}

/** The scenarios with their titles, one per line. */
function scenarioList(): string {
	const width = maxOf(scenarios.map(({name}) => name.length));
	return scenarios.map(({name, title}) => `${name.padEnd(width)}   ${title}\n`).join('');
}

const defaultName = 'node-dies';

function chosenScenario([name = defaultName, ...more]: readonly string[]): DemoScenario {
	if (more.length > 0) throw usageError(`demo plays one scenario, not ${more.length + 1}`);
	const scenario = scenarioNamed(name);
	if (scenario) return scenario;
	const known = scenarios.map(nameOf);
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
