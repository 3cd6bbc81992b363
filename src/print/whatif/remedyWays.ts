import {grouped} from '../../core/collections/grouped.ts';
import {type Instant, never} from '../../core/time/instant.ts';
import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import type {Trigger} from '../../forecast/whatif/triggers.ts';
import {linked, someOf, startsAgain} from '../../forecast/words.ts';
import type {AnswerPage} from '../answerPage.ts';
import {formatAt, formatWhen} from '../countdown.ts';
import {costOfTolerating, rescueCommand} from './rescueCommand.ts';
import {anyMomentWords, byWords, onceWords} from './rescueDeadline.ts';
import {priceWords} from './rescueKept.ts';

// Remedies that help without harm come first, those that harm others last.
const order: readonly Remedy['kind'][] = ['NodeBack', 'Tolerate', 'Untaint', 'StopControllers'];

/** A deadline, and what follows the remedy; either may be empty. */
type EffectWords = {readonly by: string; readonly result: string};

/** A remedy of one pod, in words. */
type RemedyWords = EffectWords & {
	readonly kind: Remedy['kind'];
	readonly command: string;
	/** The pod's name. */
	readonly pod: string;
};

/** The possible remedies for pods, as a list: the most helpful first, with their deadlines. */
export function waysOf(
	all: readonly PodRescue[],
	now: Instant,
	triggers: readonly Trigger[],
): readonly RescueWay[] {
	const priceOf = ({kind}: Remedy, forecast: PodForecast) =>
		kind === 'NodeBack'
			? priceWords(forecast.node, triggers, now)
			: kind === 'Tolerate'
				? costOfTolerating(forecast)
				: '';
	const ways = all.flatMap(({remedies, pod, forecast}) =>
		remedies.filter(isTold).map((remedy) => {
			const {by, result} = effectWords(remedy, forecast, now);
			return {
				kind: remedy.kind,
				pod: forecast.name,
				by,
				result: linked('; ', result, priceOf(remedy, forecast)),
				command: pod ? rescueCommand(remedy, pod) : '',
				isDelay: remedy.effect === 'Delays' || remedy.kind === 'StopControllers',
				until: remedy.until ?? never,
			};
		}),
	);
	const sorted = ways.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.until - b.until);
	return grouped(sorted, ({kind, isDelay}) => `${kind} ${isDelay}`).map(([, alike]) => {
		const [first] = alike;
		const {kind, isDelay} = first;
		// Stopping the controllers is done once, for all pods.
		const ones = kind === 'StopControllers' ? ([first] as const) : alike;
		const deeds = grouped(ones, ({command}) => command);
		const isOne = ones.every(({by}) => by === first.by);
		const isAlike = ones.every(({result}) => result === first.result);
		if (isOne && isAlike) return {what: wayWords(first, titles[kind]), commands: commandsOf(deeds), isDelay};
		const parts = grouped(deeds, ([, of]) => deedWords(of, isAlike));
		return {
			what: linked('; ', titles[kind], isAlike ? first.result : ''),
			commands: [],
			parts: parts.map(([what, some]) => ({what, commands: commandsOf(some)})),
			isDelay,
		};
	});
}

/** Until when one deed helps, and whom, if it does not help all until then. */
function deedWords(ones: readonly RemedyWords[], isAlike: boolean): string {
	const effects = grouped(ones, (one) => (isAlike ? one.by : wayWords(one)));
	return effects
		.map(([words, of]) =>
			effects.length === 1 ? words : `${words || 'any time'} for ${someOf(of.map(({pod}) => pod))}`,
		)
		.join('; ');
}

/** What is to be done, after its deadline, and before what follows: `by 08:19:29Z (in 5s): bring its node back; then …`. */
const wayWords = ({kind, by, result}: RemedyWords, title = ''): string => {
	const danger = kind === 'StopControllers' ? 'DESTRUCTIVE' : '';
	return linked('; ', linked(': ', linked(', ', danger, by), title), result);
};

const commandsOf = (deeds: readonly (readonly [command: string, ...unknown[]])[]) =>
	deeds.flatMap(([command]) => command || []);

/** Remedies without an effect are omitted; the return of the node, and a toleration, may still be in time. */
const isTold = ({kind, effect, mayHelp = false}: Remedy) =>
	effect !== 'Nothing' || kind === 'NodeBack' || mayHelp;

const titles: Readonly<Record<Remedy['kind'], string>> = {
	NodeBack: 'bring its node back',
	Tolerate: 'let it tolerate the taint forever',
	Untaint: 'remove the taint from its node',
	StopControllers: 'stop kube-controller-manager, and with it every other controller of the cluster',
};

/** The deadline until which a remedy certainly helps (`by 08:19:29Z (in 5s)`), and its effect if it does not save the pod. */
function effectWords(
	{kind, effect, eviction, until, mayHelp = false, afterRestart}: Remedy,
	forecast: PodForecast,
	now: Instant,
): EffectWords {
	if (forecast.isUntold) return {by: '', result: 'until when is not told'};
	const by = until === undefined ? '' : byWords(until, now);
	if (kind === 'StopControllers' && effect !== 'Nothing' && !eviction)
		return {
			by,
			result: `nothing is evicted until a new one starts; then ${restartWords[afterRestart ?? 'Unsure'] ?? startsAgain}`,
		};
	const anyMoment = anyMomentWords(forecast.eviction, now);
	if (effect === 'Saves') return {by, result: by === onceWords ? anyMoment : ''};
	if (effect === 'Delays' && !eviction)
		return {by, result: 'it is held then, and evicted once evictions resume'};
	if (effect === 'Delays' && eviction)
		return {
			by,
			result: `if done now, it is evicted ${formatWhen(eviction, now)} (${formatAt(eviction, now)})`,
		};
	if (mayHelp) return {by: onceWords, result: 'saves it unless it is evicted first'};
	if (anyMoment !== '') return {by: onceWords, result: anyMoment};
	return {
		by: '',
		result: 'may be too late, as its countdown may end before a pass sees that the node is back',
	};
}

/** What happens to a pod that a new controller manager does not evict. */
const restartWords: Partial<Readonly<Record<PodVerdict, string>>> = {
	Held: 'it is held as long as evictions are stopped',
	Stays: 'it stays',
	Safe: 'it stays',
};

/** A remedy and its commands. */
export type RescueWay = Readonly<{
	what: string;
	commands: readonly string[];
	/** Deadline and commands for each pod or node, if they differ. */
	parts?: readonly RescueWay[];
	/** Whether the pod is only evicted later. */
	isDelay?: boolean;
}>;

/** A remedy as a list item, with its commands below it. */
export function wayText({what, commands, parts = []}: RescueWay, page: AnswerPage): string {
	return [
		page.item(what),
		...commands.map((command) => page.command(command, '      ')),
		...parts.flatMap((part) => [
			page.wrap(`${part.what}:`, '      ', '  '),
			...part.commands.map((command) => page.command(command, '        ')),
		]),
	].join('');
}
