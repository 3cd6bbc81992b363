import {type DemoScenario, scenarioNamed, scenarios} from '../../src/demo/world/scenarios.ts';
import {UserError} from '../../src/text/userError.ts';
import {nearest} from '../args/nearest.ts';
import {speedOf} from '../args/quantities.ts';
import {invalidValue, usageError} from '../args/usageError.ts';

type DemoPlan =
	| {readonly type: 'list'}
	| {readonly type: 'serve'; readonly scenario: DemoScenario; readonly port: number}
	| {
			readonly type: 'play';
			/** Undefined if not named: the menu asks for it. */
			readonly scenario: DemoScenario | undefined;
			/** Undefined if not given. */
			readonly speed: number | undefined;
	  };

type DemoFlags = {
	readonly serve: string | undefined;
	readonly speed?: string | undefined;
	readonly list?: boolean;
};

/** @throws UserError if flags contradict each other */
export function demoPlan(names: readonly string[], {serve, speed, list}: DemoFlags): DemoPlan {
	if (list) return {type: 'list'};
	const scenario = chosenScenario(names);
	if (serve === undefined)
		return {type: 'play', scenario: names.length === 0 ? undefined : scenario, speed: speedOf(speed)};
	if (speed !== undefined) {
		throw usageError('--speed cannot be used with --serve: its clients use the real clock');
	}
	return {type: 'serve', scenario, port: portOf(serve)};
}

/** The scenarios with their titles, one per line. */
export function scenarioList(): string {
	const width = Math.max(...scenarios.map(({name}) => name.length));
	return scenarios.map(({name, title}) => `${name.padEnd(width)}   ${title}\n`).join('');
}

const defaultName = 'node-dies';

function chosenScenario([name = defaultName, ...more]: readonly string[]): DemoScenario {
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

/** Played without a menu. */
export const defaultScenario: DemoScenario = chosenScenario([]);
