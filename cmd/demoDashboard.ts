import {type DemoScenario, scenarioNamed, scenarios} from '../src/demo/scenarios.ts';
import {chooseFrom} from '../src/ui/app/chooseFrom.ts';
import {runDashboard} from '../src/ui/app/runDashboard.ts';
import {bothEnd} from './bothEnd.ts';
import {LiveSource} from './dashboardSource.ts';
import {dashboardLook, screenTerminal} from './dashboardTerminal.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';
import {DemoDeletions} from './deletions.ts';
import {type OpenedDemo, watchDemo} from './demoWatch.ts';
import type {Options} from './options.ts';
import {RelatedReader} from './relatedReader.ts';

/** The first deletions come after some ten seconds, and a minute of the cluster's is over in six. */
const defaultSpeed = 10;
const leastPause = 100;

/** The command `demo` on a terminal: the dashboard on a simulated outage, with a menu of them all. */
export async function demoDashboard(
	scenario: DemoScenario | undefined,
	speed: number | undefined,
	options: Options,
): Promise<number> {
	const look = await dashboardLook(options);
	const terminal = screenTerminal(!options.flags.noAltScreen);
	let chosen = scenario;
	let last = scenario?.name;
	let pace = speed ?? defaultSpeed;
	for (;;) {
		if (!chosen) {
			const title = 'evictwatch demo: choose an outage';
			const {choice, exitCode} = await chooseFrom(
				{...look, title, choices: scenarios, first: last},
				terminal,
			);
			if (!choice) return exitCode;
			chosen = scenarioNamed(choice.name);
			if (!chosen) return exitCode;
		}
		last = chosen.name;
		const end = await play(chosen, pace, look, options);
		if (!end.wantsMenu) return end.exitCode;
		pace = end.pace;
		chosen = undefined;
	}
}

type Look = Awaited<ReturnType<typeof dashboardLook>>;

async function play(scenario: DemoScenario, startPace: number, look: Look, options: Options) {
	let pace = startPace;
	const stop = new AbortController();
	const opened = Promise.withResolvers<{source: LiveSource}>();
	let source: LiveSource | undefined;
	const onOpen = ({now, version, predictions, settings, explain, related, forecaster}: OpenedDemo) => {
		const reader = new RelatedReader(related, now);
		const deletions = new DemoDeletions(predictions);
		source = new LiveSource({
			...{title: `demo: ${scenario.name}`, version, now, explain},
			settings: () => settings,
			related: (pods) => reader.of(pods),
			whatIf: (target, at) => dashboardAnswer(target, forecaster, at, reader.known),
			happenings: () => deletions.happenings,
			...{falseAlarms: () => 0, isPartial: false},
			speed: {
				get: () => pace,
				set: (speed) => {
					pace = speed;
				},
			},
		});
		opened.resolve({source});
	};
	const watching = watchDemo(
		scenario,
		{
			...{speed: () => pace, pause: leastPause, controller: options.controller, onOpen},
			onHeard: (observations, at) => source?.heard(observations, at),
			onProblems: (problems) => source?.reportProblems(problems),
		},
		async ({forecast, now}) => source?.publish(forecast, now),
		stop.signal,
	).finally(() => stop.abort());
	watching.catch(opened.reject);
	const {source: ready} = await opened.promise;
	const shown = runDashboard(
		{...look, source: ready, namespace: options.flags.namespace, hasMenu: true},
		screenTerminal(!options.flags.noAltScreen),
		stop.signal,
	).finally(() => stop.abort());
	const end = await bothEnd(watching, shown);
	return {...end, pace};
}
