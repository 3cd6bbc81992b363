import {untilBothEnd} from '../../src/async/taskGroup.ts';
import {type DemoScenario, nodesOf, scenarioNamed, scenarios} from '../../src/demo/world/scenarios.ts';
import {chooseFrom} from '../../src/ui/app/chooseFrom.ts';
import {runDashboard} from '../../src/ui/app/runDashboard.ts';
import {prepareForecast} from '../../src/ui/state/prepare.ts';
import type {Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {answering} from '../dashboard/dashboardAnswering.ts';
import {LiveSource} from '../dashboard/dashboardSource.ts';
import {dashboardLook, screenTerminal} from '../dashboard/dashboardTerminal.ts';
import {Afterwards} from '../output/afterwards.ts';
import {processTerminal} from '../output/terminal.ts';
import {DemoDeletions} from '../sources/deletions.ts';
import {Questions} from '../sources/questions.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {Saver} from '../sources/saver.ts';
import {type OpenedDemo, watchDemo} from './demoWatch.ts';

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

const isLarge = (scenario: DemoScenario): boolean => nodesOf(scenario) >= 1000;

type DashboardLook = Awaited<ReturnType<typeof dashboardLook>>;

async function play(scenario: DemoScenario, startPace: number, look: DashboardLook, options: Options) {
	let pace = startPace;
	const stop = new AbortController();
	const opened = Promise.withResolvers<{source: LiveSource}>();
	let source: LiveSource | undefined;
	let saver: Saver | undefined;
	const questions = new Questions();
	const onOpen = ({cluster, version, predictions, inForce, pressure, forecaster}: OpenedDemo) => {
		const deletions = new DemoDeletions(predictions);
		const title = `demo: ${scenario.name}`;
		const {now} = cluster;
		saver = new Saver(now, () => ({
			...{program: programVersion, title, kubernetesVersion: version},
			...{isPartial: false, settings: recordedSettings(inForce)},
		}));
		const related = new RelatedReader(cluster);
		source = new LiveSource({
			...{title, version, now, save: saver.save, lookAt: pressure.ask},
			explain: (target, at) => pressure.explained(forecaster.explain(target, at), at),
			settings: () => forecaster.settingList,
			whatIf: answering(questions, related, forecaster),
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
		return {
			...{taps: [source, saver], stages: [new Afterwards(related)]},
			screen: {prepare: prepareForecast, aside: questions.next},
		};
	};
	// A moment without a word looks like a program that hangs.
	if (isLarge(scenario))
		await processTerminal.replaceLine(
			`building a cluster of ${nodesOf(scenario).toLocaleString('en')} nodes`,
		);
	const watching = watchDemo(
		scenario,
		{speed: () => pace, pause: leastPause, controller: options.controller, onOpen},
		async ({forecast}) => source?.publish(forecast),
		stop.signal,
	).finally(() => stop.abort());
	watching.catch(opened.reject);
	const {source: ready} = await opened.promise;
	if (isLarge(scenario)) await processTerminal.replaceLine('');
	const shown = runDashboard(
		{...look, source: ready, namespace: options.flags.namespace, hasMenu: true},
		screenTerminal(!options.flags.noAltScreen),
		stop.signal,
	).finally(() => stop.abort());
	const end = await untilBothEnd(watching, shown).finally(() => saver?.close());
	return {...end, pace};
}
