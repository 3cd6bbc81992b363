import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {utc} from '../../src/dates/timeZone.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {sessionOn} from '../../src/session/session.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import type {Log} from '../../src/shadow/log.ts';
import {Shadow} from '../../src/shadow/shadow.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import {printIn} from '../output/documentPrinter.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {freshWarnings, warnings} from '../output/warnings.ts';
import {watchedSelection, withCluster} from '../sources/reading.ts';
import {learningOf} from '../sources/settingsInForce.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {divergenceFormat} from './shadowOutput.ts';
import {shadowParts} from './shadowParts.ts';
import {shadowQuestions} from './shadowQuestions.ts';

/** The command `shadow`: follows a cluster until interrupted, and reports where its controllers diverge from the forecast. */
export async function shadow(options: Options, terminal: Terminal) {
	if (options.names.length > 0) throw usageError('shadow takes no arguments');
	// Installed first: process 1 of a container ignores signals without a handler.
	const interruption = new Interruption();
	const format = await divergenceFormat(options);
	const parts = await shadowParts(options);
	const {signal} = interruption;
	if (signal.aborted) parts.stop();
	signal.addEventListener('abort', parts.stop, {once: true});
	try {
		const following = async (cluster: Cluster) => {
			const printer = printerOf(format, terminal, options, parts.jsonLog);
			// The JSON log already has each divergence; it is printed again only if asked for.
			const isLogged = parts.jsonLog !== undefined && options.output === 'table';
			const listeners = [...parts.listeners, ...(isLogged ? [] : [printer.listener])];
			await startingAnew(options, signal, (own) =>
				followCluster(cluster, own, listeners, printer, interruption),
			);
		};
		await withCluster(options.flags, following, environmentOf(parts.jsonLog));
	} finally {
		await parts.close();
	}
	return 0;
}

/** Output of credential plugins is for people and stays out of a JSON log. */
const environmentOf = (log: Log | undefined) => ({
	...systemEnvironment(),
	...((log || !process.stderr.isTTY) && {showForeign: () => undefined}),
	...(log && {writeError: (text: string) => log.info(text.trim())}),
});

type Printer = ReturnType<typeof printerOf>;

/** Prints in the order of its calls. @param log receives messages that people would read on stderr */
function printerOf(
	format: (one: Divergence) => Promise<string>,
	terminal: Terminal,
	options: Options,
	log: Log | undefined,
) {
	const print = printIn(terminal, options.output);
	const fresh = freshWarnings();
	let last = Promise.resolve();
	const listener: ShadowListener = {
		diverged: (one) => {
			last = last.then(async () => print(await format(one)));
			// Reported by `printed`.
			last.catch(() => undefined);
		},
	};
	return {
		listener,
		/** Settles once everything is printed. @throws an error of printing, such as a template that does not fit */
		printed: () => last,
		/** Prints problems that the last call did not have. */
		warn: async (problems: readonly Problem[]) => {
			const news = fresh(problems);
			if (log) for (const {reason, message} of news) log.warn(message, {reason});
			else await terminal.printError(warnings(news, systemClock.now(), {...options, timeZone: utc}));
		},
		/** Says that everything was read, so that a quiet shadow is not mistaken for a blind one. */
		greet: async ({nodes, zones}: Forecast) => {
			if (!log)
				await terminal.printError(
					`Following ${nodes.length} nodes in ${zones.length} zones; ctrl-c ends it.\n`,
				);
		},
	};
}

async function followCluster(
	cluster: Cluster,
	options: Options,
	listeners: readonly ShadowListener[],
	printer: Printer,
	interruption: Interruption,
) {
	const known = await interruption.cutShort(learningOf(cluster, options.controller));
	if (!known) return;
	const {store, forecaster} = known;
	const shadow = new Shadow({startedAt: cluster.now(), store, forecaster, listeners});
	const questions = shadowQuestions(cluster, shadow);
	const {controller} = options;
	const selection = watchedSelection({...options, command: undefined}, known);
	// At their own ports, what its account may do for that is harmless; through the API server it would not be.
	const kubelets = options.flags.kubeletCertificateAuthority ? pressuredNodes(store) : undefined;
	let hasGreeted = false;
	const publish = async (forecast: Forecast, now: Instant) => {
		const all = [...controller.notes, ...forecast.problems, ...session.problems];
		shadow.add({...forecast, problems: all}, now);
		questions.ask(shadow.unconfirmed);
		await printer.printed();
		await printer.warn(all);
		if (!hasGreeted) await printer.greet(forecast);
		hasGreeted = true;
	};
	const session = sessionOn({
		...known,
		// The shadow judges changes by the predictions before them.
		observers: [shadow],
		taps: [shadow],
		display: {publish},
		screen: {prepare: function* () {}},
		stages: [kubelets && pressureStage(store)],
	});
	const source = clusterSource(cluster, selection, undefined, kubelets);
	await session.run(source, clockShowing(cluster.now), interruption.signal);
	await printer.printed();
}
