import {compareNames} from '../../core/collections/compareNames.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import {podKey} from '../../core/model/pod.ts';
import {kindAndName, workloadKeyOf, workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {mayEvictWords, mayFollow} from '../../forecast/pressure/pressureWords.ts';
import type {StuckPod} from '../../forecast/stuckPods.ts';
import {isOfLifecycle} from '../../forecast/whatif/knownReturns.ts';
import {isSaved} from '../../forecast/whatif/podsInDanger.ts';
import {tolerating} from '../../forecast/whatif/remedy.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import {
	addedBy,
	bestFirst,
	firstOf,
	type HeldZone,
	priceOfReturn,
	type Trigger,
} from '../../forecast/whatif/triggers.ts';
import {joined, linked, someOf} from '../../forecast/words.ts';
import {shellWord} from '../../text/pasted.ts';
import type {AnswerPage} from '../answerPage.ts';
import {formatWhen} from '../countdown.ts';
import {stuckTexts} from '../status/causes.ts';
import {costOfTolerating, rescueOf, restartOf, tolerateCommand} from './rescueCommand.ts';
import {podChangesText, releasedTexts, stayHeldText} from './whatIfAnswer.ts';

/** A requested pod without a pending eviction; `pod` is undefined if its object was not read. */
export type KeptPod = Pick<PodRescue, 'forecast' | 'pod' | 'pressure'>;

const mostShown = 3;

/**
 * Explains requested pods that need no rescue, and how to keep held ones when evictions resume.
 *
 * @param areOthersGoing omits the pods that need no rescue, because others do
 * @param triggers those that were simulated for the zones of held pods
 */
export function keptTexts(
	kept: readonly KeptPod[],
	areOthersGoing: boolean,
	page: AnswerPage,
	triggers: readonly Trigger[],
): readonly string[] {
	const held = kept.filter(({forecast}) => forecast.verdict === 'Held');
	const isCalm = ({forecast: {verdict}}: KeptPod) => verdict !== 'Held' && verdict !== 'Terminating';
	const calm = areOthersGoing ? [] : kept.filter(isCalm);
	const [first] = held;
	const isTold = held.length <= mostShown || areOfOneWorkload(held);
	return [
		...(first ? [isTold ? heldWays(held, page, triggers) : heldHint(first, page)] : []),
		...grouped(calm, reasonOf).map(([reason, ones]) => page.wrap(`${namesOf(ones)}: ${reason}.`)),
	];
}

const areOfOneWorkload = (ones: readonly KeptPod[]) =>
	new Set(ones.map(({forecast}) => workloadKeyOf(forecast))).size === 1;

const heldHint = ({forecast}: KeptPod, page: AnswerPage) =>
	`How to keep a held pod when evictions resume:\n${page.command(rescueOf(forecast))}`;

/** `pod/cart-1 in namespace shop, pod/web-0 in namespace shop`. */
export const namesOf = (ones: readonly KeptPod[]) =>
	someOf(ones.map(({forecast: {namespace, name}}) => `pod/${name} in namespace ${namespace}`));

/** Why nothing evicts a pod, or nothing can save it. */
function reasonOf({forecast, pressure}: KeptPod): string {
	const {node, verdict, cause} = forecast;
	const dueWords = 'it should have been evicted already, and may be at any moment';
	if (pressure && mayFollow(forecast, pressure)) return mayEvictWords(podKey(forecast), pressure);
	if (verdict === 'Overdue')
		return isOfLifecycle(forecast) ? `${dueWords}: until then the return of node ${node} saves it` : dueWords;
	if (cause?.kind === 'NodeDeleted') return 'too late: its Node object is gone';
	const calm = node === '' ? 'it is not bound to a node' : `node ${node} is ready, and no taint evicts it`;
	return `${verdict === 'Unsure' ? 'not known whether it needs one' : 'no rescue needed'}: ${forecast.because[0] ?? calm}`;
}

/** How to keep held pods. Both ways take effect before the taint, so no simulation is needed. */
function heldWays(ones: readonly KeptPod[], page: AnswerPage, triggers: readonly Trigger[]): string {
	const isOne = ones.length === 1;
	const shown = ones.slice(0, mostShown);
	const nodes = unique(shown.map(({forecast}) => forecast.node));
	const patches = shown.flatMap(({pod}) => (pod ? tolerateCommand(pod, tolerating(pod, undefined)) : []));
	// Said once for all: of one that its workload would replace, if there is one.
	const [cost = ''] = shown
		.map(({forecast}) => costOfTolerating(forecast))
		.toSorted((a, b) => b.length - a.length);
	const more = ones.length > shown.length ? `    and the same for ${ones.length - shown.length} more\n` : '';
	return [
		whenHeld(ones, page, triggers),
		`To keep ${isOne ? 'it' : 'them'} after that, do one of these now:\n`,
		'  * bring its node back\n',
		...nodes.map((node) => returnText(node, page, triggers)),
		patches.length > 0 ? page.item(`let it tolerate the taint forever: ${cost}`) : '',
		...patches.map((command) => page.command(command, '      ')),
		more,
	].join('');
}

/** States that pods are held, what would end that, and when the first would be evicted then. */
function whenHeld(ones: readonly KeptPod[], page: AnswerPage, triggers: readonly Trigger[]): string {
	const uids = new Set(ones.map(({forecast}) => forecast.uid));
	const ends = triggers.flatMap((trigger) => {
		const first = firstOf(addedBy(trigger).filter(({uid}) => uids.has(uid)));
		return first ? [{what: trigger.what, when: formatWhen(first, page.now)}] : [];
	});
	const lines = grouped(ends, ({when}) => when).map(([when, alike]) =>
		page.wrap(`${when} if ${whatWords(unique(alike.map(({what}) => what)))}`, '      ', '  '),
	);
	const isOne = ones.length === 1;
	// Not every node's return was simulated, so the general rule comes before the simulated examples.
	const rules = ones.map(({forecast: {held, zone}}) =>
		held ? ` Evictions${zone === '' ? '' : ` in zone ${zone}`} resume when ${held.releasedBy}.` : '',
	);
	const [rule = '', ...others] = new Set(rules);
	const isRule = rule !== '' && others.length === 0;
	const would = `${isOne ? 'It' : 'The first'} would be evicted`;
	const rest = ends.length > 0 ? `${isRule ? rule : ''} ${would}${isRule ? ', for example' : ''}:` : '';
	const are = `${heldName(ones)} ${isOne ? 'is' : 'are'} held: safe as long as evictions are stopped, and no longer.`;
	return page.wrap(are + rest) + lines.join('');
}

const mostWhats = 2;

/** `c1 recovers or c2 recovers now`; of more `c1 recovers now (4 other changes have the same effect, see below)`. */
const whatWords = (whats: readonly string[]) =>
	whats.length <= mostWhats
		? `${joined(whats, 'or')} now`
		: `${whats[0]} now (${whats.length - 1} other changes have the same effect, see below)`;

function heldName(ones: readonly KeptPod[]): string {
	const [first] = ones;
	return first && ones.length > 1 && areOfOneWorkload(ones)
		? `${workloadName(first.forecast, ones.length)} in namespace ${first.forecast.namespace}`
		: namesOf(ones);
}

/** A number of pods of one workload: `deployment/web (2 pods)`. */
export const workloadName = (forecast: PodForecast, count: number) =>
	`${kindAndName(workloadOf(forecast))} (${count} pods)`;

/** The pods that a node's return releases: `then 3 held pods of b3 will be evicted, the first in 10s (evictions resume)`; empty if none. */
export function priceWords(node: string, triggers: readonly Trigger[], now: Instant): string {
	const price = priceOfReturn(node, triggers);
	const words = price ? releasedTexts(price, now).join(', ') : '';
	return words === '' ? '' : `then ${words}`;
}

/** How to bring a node back, and below it the pods that this releases. */
function returnText(node: string, page: AnswerPage, triggers: readonly Trigger[]): string {
	const price = priceWords(node, triggers, page.now);
	return `${page.command(restartOf(node), '      ')}${price === '' ? '' : page.wrap(price, '        ', '  ')}`;
}

/** The pods that stay Terminating, and what ends that; empty if there are none. */
export function stuckText(
	stuck: readonly StuckPod[],
	page: AnswerPage,
	triggers: readonly Trigger[],
): string {
	if (stuck.length === 0) return '';
	const ended = stuck.filter(({end}) => end.by === 'Nobody');
	const nodes = unique(ended.map(({pod}) => pod.node)).toSorted(compareNames);
	const namesOf = (ones: readonly StuckPod[]) => `(${someOf(ones.map(({pod}) => podKey(pod)))})`;
	const shown = nodes.slice(0, mostShown);
	const taint = shellWord('node.kubernetes.io/out-of-service=nodeshutdown:NoExecute');
	const ways = [
		'  * bring its node back\n',
		...shown.map((node) => returnText(node, page, triggers)),
		page.item(
			'DESTRUCTIVE, only if the machine is off for sure: delete all its pods by force, and detach its volumes',
		),
		...shown.map((node) => page.command(`kubectl taint node ${shellWord(node)} ${taint}`, '      ')),
		nodes.length > mostShown ? `  and the same for ${someOf(nodes.slice(mostShown))}\n` : '',
	];
	return [
		...stuckTexts(stuck, namesOf).map((text) => page.wrap(`Stuck: ${text}.`)),
		...(nodes.length === 0 ? [] : ways),
	].join('');
}

/** What would release held pods, or change that: one text for all zones stopped by the same cause. */
export const heldTexts = (held: readonly HeldZone[], page: AnswerPage) =>
	grouped(held, ({by}) => by).map(([by, zones]) => heldText(by, zones, page));

function heldText(by: string, zones: readonly HeldZone[], page: AnswerPage): string {
	const isTold = (one: Trigger) =>
		one.pods.some((pod) => pod.effect !== 'unchanged' || isSaved(pod)) || !isStart(one);
	const all = zones.flatMap(({triggers}) => triggers).toSorted(bestFirst);
	const told = [...all.filter((one) => !isStart(one)), ...all.filter(isStart)].filter(isTold);
	const alike = grouped(told, (one) => triggerWords(one, page.now));
	const rows = alike.map(([words, ones]) => {
		const what = unique(ones.map((one) => one.what)).join(', or ');
		return page.wrap(`${what}: ${words}`, '  ', '  ');
	});
	const names = zones.map(({zone}) => zone);
	const where = names.some((zone) => by.includes(zone))
		? ''
		: ` in ${names.length === 1 ? 'zone' : 'zones'} ${names.join(', ')}`;
	return page.wrap(`Held${where}: ${by}. What would change that, if it happened now:`) + rows.join('');
}

const isStart = ({change}: Trigger) => change.some(({type}) => type === 'controllersStart');

const triggerWords = ({pods, unread}: Trigger, now: Instant) =>
	`${linked('; ', podChangesText(pods, now), stayHeldText(pods))}${unread.length > 0 ? `, not counting pods of ${someOf(unread)}` : ''}`;
