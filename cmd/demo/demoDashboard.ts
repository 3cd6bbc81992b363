import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {everyPod} from '../../src/cluster/transport/selection.ts';
import {
	type DemoScenario,
	grouped,
	nodesOf,
	scenarioNamed,
	scenarios,
} from '../../src/demo/world/scenarios.ts';
import {usualConnection} from '../../src/text/pasted.ts';
import type {DashboardEnd} from '../../src/ui/app/runDashboard.tsx';
import type {SpeedControl} from '../../src/ui/scene/scene.ts';
import {firstState, resumed, type UiState} from '../../src/ui/state/uiState.ts';
import {outageMenu} from '../../src/ui/views/menus.ts';
import type {Options} from '../args/options.ts';
import {type CommandScreen, commandScreen} from '../dashboard/dashboardTerminal.ts';
import {liveScreen} from '../dashboard/liveScreen.ts';
import {processTerminal} from '../output/terminal.ts';
import {share, withDemo} from './demoWatch.ts';

/** At this speed the first deletions come after ten real seconds. */
const defaultSpeed = 10;
const leastPause = 100;

/** The command `demo` on a terminal: the dashboard on a simulated outage, with a menu of all outages. */
export async function demoDashboard(
	scenario: DemoScenario | undefined,
	speed: number | undefined,
	options: Options,
) {
	const screen = commandScreen(options);
	let pace = speed ?? defaultSpeed;
	for (let [chosen, last]: [DemoScenario | undefined, UiState | undefined] = [scenario, undefined]; ; ) {
		const end: DashboardEnd & {readonly pace?: number} = chosen
			? await play(chosen, pace, screen, options, last)
			: await screen.choose(outageMenu(scenarios), '', last);
		if (end.chosen === undefined) return end.exitCode;
		({pace = pace, left: last} = end);
		chosen = scenarioNamed(end.chosen);
	}
}

const isLarge = (scenario: DemoScenario) => nodesOf(scenario) >= 1000;

/** Plays an outage until the user leaves it or chooses another. */
async function play(
	scenario: DemoScenario,
	startPace: number,
	screen: CommandScreen,
	options: Options,
	/** The state in which the outage before was left. */
	last: UiState | undefined,
) {
	const {namespace} = options.flags;
	const left = last && resumed(firstState(last.theme, namespace, last.timeZone), last);
	let pace = startPace;
	const stop = new AbortController();
	const speed: SpeedControl = {
		get: () => pace,
		set: (wanted) => {
			pace = wanted;
		},
	};
	// Without a message, the program would seem to hang.
	if (isLarge(scenario))
		await processTerminal.replaceLine(`building a cluster of ${grouped(nodesOf(scenario))} nodes`);
	const watched = {speed: speed.get, pause: leastPause, controller: options.controller};
	return withDemo(scenario, watched, async ({cluster, known, clock}) => {
		const title = `demo: ${scenario.name}`;
		// Commands cannot reach it, as it ends with the dashboard.
		const own = {title, isPartial: false, speed, share, connection: usualConnection};
		const {source, saver, follow} = liveScreen(cluster, known, own);
		const watching = follow(everyPod, undefined, clock, stop.signal).finally(() => stop.abort());
		if (isLarge(scenario)) await processTerminal.replaceLine('');
		const menu = outageMenu(scenarios, scenario.name);
		const shown = screen.show({source, namespace, left, menu}, stop.signal).finally(() => stop.abort());
		return {...(await untilBothEnd(watching, shown).finally(() => saver.close())), pace};
	});
}
