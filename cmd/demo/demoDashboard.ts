import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {
	type DemoScenario,
	grouped,
	nodesOf,
	scenarioNamed,
	scenarios,
} from '../../src/demo/world/scenarios.ts';
import {usualConnection} from '../../src/text/pasted.ts';
import {chooseFrom} from '../../src/ui/app/chooseFrom.ts';
import {runDashboard} from '../../src/ui/app/runDashboard.ts';
import {firstState, resumed, type UiState} from '../../src/ui/state/uiState.ts';
import type {Options} from '../args/options.ts';
import {allSettings} from '../dashboard/allSettings.ts';
import type {LiveSource} from '../dashboard/dashboardSource.ts';
import {dashboardLook, menuLook, screenTerminal} from '../dashboard/dashboardTerminal.ts';
import {liveScreen} from '../dashboard/liveScreen.ts';
import type {Saver} from '../dashboard/saver.ts';
import {processTerminal} from '../output/terminal.ts';
import {type OpenedDemo, watchDemo} from './demoWatch.ts';

/** At this speed the first deletions come after ten real seconds. */
const defaultSpeed = 10;
const leastPause = 100;

/** The command `demo` on a terminal: the dashboard on a simulated outage, with a menu of all outages. */
export async function demoDashboard(
	scenario: DemoScenario | undefined,
	speed: number | undefined,
	options: Options,
): Promise<number> {
	const look = dashboardLook(options);
	const terminal = screenTerminal(!options.flags.noAltScreen);
	let pace = speed ?? defaultSpeed;
	const choose: Stage['choose'] = (first, filter = '', left = undefined) => {
		const words = {title: 'evictwatch demo: choose an outage', verb: 'play'};
		const from = {choices: () => scenarios, first, filter};
		return chooseFrom({...menuLook(look, left), ...words, ...from}, terminal);
	};
	let chosen = scenario;
	if (!chosen) {
		const {choice, exitCode} = await choose(undefined);
		chosen = choice && scenarioNamed(choice.name);
		if (!chosen) return exitCode;
	}
	for (let last: UiState | undefined; ; ) {
		const end = await play(chosen, pace, {look, options, choose, last});
		({pace, left: last} = end);
		chosen = end.next;
		if (!chosen) return end.exitCode;
	}
}

const isLarge = (scenario: DemoScenario): boolean => nodesOf(scenario) >= 1000;

type Stage = {
	readonly look: ReturnType<typeof dashboardLook>;
	readonly options: Options;
	/** The state in which the outage before was left. */
	readonly last: UiState | undefined;
	readonly choose: (
		first: string | undefined,
		filter?: string,
		left?: UiState,
	) => ReturnType<typeof chooseFrom>;
};

/** Plays an outage until the user leaves it or chooses another. */
async function play(scenario: DemoScenario, startPace: number, {look, options, choose, last}: Stage) {
	const {namespace} = options.flags;
	let left = last && resumed(firstState(last.theme, namespace, last.timeZone), last);
	let pace = startPace;
	const stop = new AbortController();
	const opened = Promise.withResolvers<{source: LiveSource}>();
	let source: LiveSource | undefined;
	let saver: Saver | undefined;
	const onOpen = ({cluster, version, predictions, inForce, pressure, kubelets, forecaster}: OpenedDemo) => {
		// Commands cannot reach it, as it ends with the dashboard.
		const followed = {cluster, forecaster, pressure, kubelets, inForce, connection: usualConnection};
		const screen = liveScreen(followed, {
			...{title: `demo: ${scenario.name}`, version, isPartial: false},
			settings: allSettings(forecaster, unseenControlPlane('a demo has none')),
			happenings: () => predictions.happenings,
			falseAlarms: () => 0,
			speed: {
				get: () => pace,
				set: (speed) => {
					pace = speed;
				},
			},
		});
		({source, saver} = screen);
		opened.resolve(screen);
		return screen.session;
	};
	// Without a message, the program would seem to hang.
	if (isLarge(scenario))
		await processTerminal.replaceLine(`building a cluster of ${grouped(nodesOf(scenario))} nodes`);
	const watching = watchDemo(
		scenario,
		{speed: () => pace, pause: leastPause, controller: options.controller, onOpen},
		async ({forecast}) => source?.publish(forecast),
		stop.signal,
	).finally(() => stop.abort());
	watching.catch(opened.reject);
	const {source: ready} = await opened.promise;
	if (isLarge(scenario)) await processTerminal.replaceLine('');
	const show = async () => {
		const end = await runDashboard(
			{...look, source: ready, namespace, left, hasMenu: true},
			screenTerminal(!options.flags.noAltScreen),
			stop.signal,
		);
		left = end.left && resumed(end.left, end.left);
		return end;
	};
	const shown = untilLeft(show, (filter) => choose(scenario.name, filter, left)).finally(() => stop.abort());
	const end = await untilBothEnd(watching, shown).finally(() => saver?.close());
	return {...end, pace, left};
}

/** Shows the dashboard, and the menu over it; the outage continues meanwhile, and `esc` returns to it. */
async function untilLeft(
	show: () => ReturnType<typeof runDashboard>,
	choose: (filter: string) => ReturnType<typeof chooseFrom>,
): Promise<{readonly exitCode: number; readonly next: DemoScenario | undefined}> {
	for (;;) {
		const {menu, exitCode} = await show();
		if (menu === undefined) return {exitCode, next: undefined};
		const {choice, isLeft, exitCode: menuCode} = await choose(menu);
		if (choice || isLeft) return {exitCode: menuCode, next: choice && scenarioNamed(choice.name)};
	}
}
