import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {
	type DemoScenario,
	grouped,
	nodesOf,
	scenarioNamed,
	scenarios,
} from '../../src/demo/world/scenarios.ts';
import {usualConnection} from '../../src/text/pasted.ts';
import type {SpeedControl} from '../../src/ui/scene/scene.ts';
import {firstState, resumed, type UiState} from '../../src/ui/state/uiState.ts';
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
	let chosen = scenario;
	if (!chosen) {
		const {choice, exitCode} = await chooseOn(screen);
		chosen = choice && scenarioNamed(choice.name);
		if (!chosen) return exitCode;
	}
	for (let last: UiState | undefined; ; ) {
		const end = await play(chosen, pace, screen, options, last);
		({pace, left: last} = end);
		chosen = end.next;
		if (!chosen) return end.exitCode;
	}
}

const isLarge = (scenario: DemoScenario) => nodesOf(scenario) >= 1000;

/** Shows the menu of all outages. */
const chooseOn = (screen: CommandScreen, first?: string, filter = '', left?: UiState) =>
	screen.choose(
		{title: 'evictwatch demo: choose an outage', verb: 'play', choices: () => scenarios, first, filter},
		left,
	);

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
	let left = last && resumed(firstState(last.theme, namespace, last.timeZone), last);
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
	return withDemo(scenario, watched, async ({cluster, learned, clock}) => {
		const title = `demo: ${scenario.name}`;
		// Commands cannot reach it, as it ends with the dashboard.
		const own = {title, isPartial: false, speed, share, connection: usualConnection};
		const {source, saver, follow} = liveScreen(cluster, learned, own);
		const watching = follow({pods: {type: 'all'}}, undefined, clock, stop.signal).finally(() => stop.abort());
		if (isLarge(scenario)) await processTerminal.replaceLine('');
		const show = async () => {
			const end = await screen.show({source, namespace, left, hasMenu: true}, stop.signal);
			left = end.left && resumed(end.left, end.left);
			return end;
		};
		const choose = (filter: string) => chooseOn(screen, scenario.name, filter, left);
		const shown = untilLeft(show, choose).finally(() => stop.abort());
		const end = await untilBothEnd(watching, shown).finally(() => saver.close());
		return {...end, pace, left};
	});
}

/** Shows the dashboard, and the menu over it; the outage continues meanwhile, and `esc` returns to it. */
async function untilLeft(
	show: () => ReturnType<CommandScreen['show']>,
	choose: (filter: string) => ReturnType<CommandScreen['choose']>,
) {
	for (;;) {
		const {menu, exitCode} = await show();
		if (menu === undefined) return {exitCode, next: undefined};
		const {choice, isLeft, exitCode: menuCode} = await choose(menu);
		if (choice || isLeft) return {exitCode: menuCode, next: choice && scenarioNamed(choice.name)};
	}
}
