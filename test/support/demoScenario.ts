import {type DemoScenario, scenarioNamed} from '../../src/demo/world/scenarios.ts';

/** A scenario of the demo. */
export function demoScenario(name: string): DemoScenario {
	const scenario = scenarioNamed(name);
	if (!scenario) throw new Error(`the demo has no scenario ${name}`);
	return scenario;
}
