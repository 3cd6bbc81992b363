import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../src/core/model/node.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {timeAlone} from '../../src/dates/format.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {nearestOf, shareAbove} from '../../src/forecast/pressure/pressureWords.ts';
import {someOf} from '../../src/forecast/words.ts';
import {formatPressure} from '../../src/print/pressure/pressure.ts';
import {pressureListJson} from '../../src/print/pressure/pressureJson.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import type {PressureSeen} from '../../src/session/pressureStage.ts';
import {pasted, shellWord} from '../../src/text/pasted.ts';
import type {TextMap} from '../../src/text/textMap.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {assertNodesReadable} from '../lists/listings.ts';
import {isDocumentFormat, printAnswer} from '../output/documentPrinter.ts';
import type {Terminal} from '../output/terminal.ts';
import {freshWarnings, warnings} from '../output/warnings.ts';

/** The nodes, and a function that queries some of them. */
type PressureScene = Pick<ClusterSnapshot, 'nodes' | 'problems'> & {
	readonly look: (nodes: readonly Node[]) => Promise<PressureSeen>;
	readonly now: () => Instant;
};

export type PressureReport = ReturnType<typeof pressureReport>;

/** Prints what nodes have left, and warns of what the last report did not warn of. */
export function pressureReport(options: Options, terminal: Terminal) {
	const {names, flags} = options;
	const fresh = freshWarnings();
	/** The named nodes; else those with a pressure condition, or all ready ones if all are meant. */
	const isChosen = (node: Node) =>
		names.length > 0
			? names.includes(node.name)
			: isUnderPressure(node) || (flags.allKubelets && isReadyNode(node));
	/** @param others whole lines */
	const warn = async (problems: readonly Problem[], now: Instant, others: readonly string[] = []) => {
		const lines = [...others, ...problems.map((problem) => warnings([problem], now, options))];
		await terminal.printError(fresh(lines).join(''));
	};
	/** Prints one report. Returns the exit code: 1 if a named node does not exist. */
	const print = async ({nodes: all, problems: ofNodes, look, now}: PressureScene) => {
		const nodes = all.filter(isChosen);
		const seen = await look(nodes);
		const forecasts = flags.allKubelets ? nearestFirst(seen.forecasts) : seen.forecasts;
		// If nodes may not be listed, an unknown name may still be a node.
		const missing = names.filter((name) => !nodes.some((node) => node.name === name));
		if (names.length === 0 || missing.length > 0) assertNodesReadable(ofNodes);
		const problems = [...ofNodes.filter(isAboutNodes), ...seen.problems];
		await printAnswer(
			{
				text: (table) => textOf(forecasts, now(), options, table),
				document: () => pressureListJson(forecasts, problems, now()),
				items: (document) => document.items,
				problems: [],
				now: now(),
			},
			{options, terminal},
		);
		if (!isDocumentFormat(options.output)) {
			const calm = nodes.length === 0 && names.length === 0 ? [nonePressed(all, options)] : [];
			await warn([...problems, ...uncoveredOf(forecasts, problems)], now(), calm);
		}
		await terminal.printError(missing.map((name) => `error: nodes "${name}" not found\n`).join(''));
		return missing.length > 0 ? 1 : 0;
	};
	return {print, warn};
}

/** Reports of nodes; in a watch an empty line separates them from the next, and a recording adds the time. */
function textOf(
	forecasts: readonly PressureForecast[],
	now: Instant,
	options: Options,
	table: TableOptions,
): string {
	const isOnce = !options.watch;
	const texts = forecasts.map((forecast) => formatPressure(forecast, {...table, isOnce}, now));
	const isWatch = options.watch && texts.length > 0;
	const isRecorded = isWatch && options.filenames.length > 0;
	const head = isRecorded ? `At ${timeAlone(now, now, options.timeZone)}:\n` : '';
	return head + texts.join('\n') + (isWatch ? '\n' : '');
}

/** Nodes nearest to a threshold come first. */
const nearestFirst = (forecasts: readonly PressureForecast[]): readonly PressureForecast[] => {
	const shareOf = ({signals}: PressureForecast) => {
		const nearest = nearestOf(signals);
		return nearest ? shareAbove(nearest) : Number.POSITIVE_INFINITY;
	};
	return forecasts.toSorted((a, b) => (shareOf(a) === shareOf(b) ? 0 : shareOf(a) - shareOf(b)));
};

const mostNamed = 8;

/** The text if no node shows a pressure condition: how to query one anyway, and which are ready. */
function nonePressed(nodes: readonly Node[], options: Options): string {
	const command = (what: string) => pasted(`kubectl evictwatch pressure ${what}`, connectionOf(options));
	// Kubelets of nodes that are not ready do not answer.
	const names = nodes.filter(isReadyNode).map(nameOf);
	const [first] = names;
	if (first === undefined)
		return `No node shows a pressure condition; look at one anyway: ${command('NODE')}\n`;
	return `No node shows a pressure condition; look at one anyway: ${command(shellWord(first))}\nReady nodes: ${someOf(names, mostNamed)}. At all of them: ${command('--all-kubelets')}\n`;
}

/** By a node's problem, the problem of the failed request whose message covers it. */
const coveredBy: TextMap = {
	NoStatistics: 'SummaryUnreadable',
	NoConfiguration: 'KubeletConfigUnreadable',
};

/** The table itself says what to type for a trend. */
const coveredByTable = 'FewStatistics';

/** The problems of nodes that neither those of requests nor the table tell. */
const uncoveredOf = (forecasts: readonly PressureForecast[], told: readonly Problem[]): readonly Problem[] =>
	forecasts.flatMap(({node, problems}) => {
		const isCovered = (of: string) =>
			of === coveredByTable ||
			told.some(({reason, message}) => reason === coveredBy[of] && message.includes(`/nodes/${node}/`));
		const others = problems.filter(({reason}) => !isCovered(reason));
		return others.map(({reason, message}) => ({reason, message: `${node}: ${message}`}));
	});

const isAboutNodes = ({reason}: Problem) => !reason.startsWith('Pods') && !reason.startsWith('Lease');
