import {maxOf} from '../../core/collections/extremes.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {pendingOf} from '../../forecast/pending.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {stuckPods} from '../../forecast/stuckPods.ts';
import {bestReturns} from '../../forecast/whatif/bestReturns.ts';
import {timeToAct} from '../../forecast/whatif/remedy.ts';
import type {NextLoss} from '../../impact/nextLoss.ts';
import {shellWord} from '../../text/pasted.ts';
import {type AnswerPage, textWidth} from '../answerPage.ts';
import {firstUnsure, unaskedNodes} from '../whyNotYet.ts';
import {nearZones} from './nextLoss.ts';

/** What a command shows, and the command. */
type Hint = readonly [words: string, command: string];

/** The next commands to run, about the pod that is evicted next or the first held one. */
export function nextCommands(
	forecast: Forecast,
	nextLoss: NextLoss | undefined,
	namespace: string | undefined,
	page: AnswerPage,
): string {
	const pending = pendingOf(forecast.pods);
	const next =
		pending[0] ?? firstUnsure(forecast.pods) ?? forecast.pods.find(({verdict}) => verdict === 'Held');
	// One that goes within seconds is gone before its remedies are read.
	const saved = pending.find(({eviction}) => eviction.earliest - forecast.observedAt >= timeToAct) ?? next;
	const nameOf = ({name, namespace}: PodForecast) => `${shellWord(name)} -n ${shellWord(namespace)}`;
	const pod = next ? nameOf(next) : '';
	const scope = namespace === undefined ? '' : ` -n ${shellWord(namespace)}`;
	const [stuck] = stuckPods(forecast).filter(({end}) => end.by === 'Nobody');
	const pressed = forecast.nodes.find(({pressure}) => (pressure?.conditions.length ?? 0) > 0);
	const lost = nearZones(forecast, nextLoss?.losses.zone)[0]?.node ?? nextLoss?.node;
	const [dead] = bestReturns(forecast);
	const [alive] = unaskedNodes(forecast);
	const hints: readonly (Hint | false)[] = [
		['which pods are evicted, and when', `pods${scope || ' -A'}`],
		pod !== '' && ['why a pod is evicted, or is not', `explain ${pod}`],
		saved !== undefined && [
			saved === next
				? 'how to save a pod, and until when'
				: `how to save a pod (${formatDuration(timeToAct)} or more left)`,
			`rescue ${nameOf(saved)}`,
		],
		stuck !== undefined && [
			'what ends pods that are stuck',
			`rescue node/${shellWord(stuck.pod.node)}${scope}`,
		],
		pressed !== undefined && ['which pods its kubelet evicts next', `pressure ${shellWord(pressed.name)}`],
		pressed === undefined &&
			alive !== undefined &&
			pod === '' && ['what a node has left of memory and disk', `pressure ${shellWord(alive.name)}`],
		['which workloads reach zero', `workloads${scope || ' -A'}`],
		lost !== undefined && [
			`what the loss of ${lost} would do`,
			`what-if --node-down ${shellWord(lost)}${scope}`,
		],
		dead !== undefined && [
			`what the return of ${dead.name} would do`,
			`what-if --node-back ${shellWord(dead.name)}${scope}`,
		],
	];
	const shown = hints
		.filter((hint) => hint !== false)
		.map(([words, command]) => [`  ${page.pasted(`kubectl evictwatch ${command}`)}`, words]);
	const margin = textWidth - maxOf(shown.map(([, words = '']) => words.length));
	// A command that is too long to stand beside its description is put above it.
	const lines = shown.map(([command = '', words]) =>
		command.length + 2 <= margin
			? `${command.padEnd(margin)}${words}\n`
			: `${command}\n${' '.repeat(margin)}${words}\n`,
	);
	return `\nMore:\n${lines.join('')}`;
}
