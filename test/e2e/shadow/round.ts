import {setTimeout as sleep} from 'node:timers/promises';
import type {Random} from '../../../src/core/time/random.ts';
import type {Divergence} from './divergence.ts';
import type {Intervention, Wanted} from './interventions.ts';
import {protectedKind, type World} from './world.ts';

/** What a round may do to the controllers. */
type Trouble = {
	readonly name: string;
	/** The flags of their restart; absent if they stay down. */
	readonly flags?: readonly string[];
	/** How many nodes of one zone then fail together. */
	readonly victims: number;
	readonly must: (victims: readonly string[]) => Wanted;
	readonly may: (divergence: Divergence) => boolean;
};

const of = (nodes: readonly string[], {object}: Divergence): boolean => nodes.includes(object.name);

/** Controllers that restart with another flag: an action is not as predicted, and nothing that was seen explains it. */
function restartWith(flag: string, value: string, action: string): Pick<Trouble, 'flags' | 'must' | 'may'> {
	const isUnexplained = ({reason}: Divergence) => reason === 'Unexplained';
	return {
		flags: [`--${flag}=${value}`],
		must: (nodes) => ({
			words: `${action} of one of ${nodes} is not as predicted, as --${flag} is ${value}`,
			is: (divergence) => of(nodes, divergence) && divergence.action === action && isUnexplained(divergence),
		}),
		may: isUnexplained,
	};
}

const [gracePeriod, rate] = ['node-monitor-grace-period', 'node-eviction-rate'] as const;

/** The troubles of the controllers. The shadow assumes a grace period of 30 s and one node every five seconds. */
export const troubles: readonly Trouble[] = [
	{
		name: 'no controllers',
		victims: 1,
		must: (nodes) => ({
			words: `${nodes} is not Unknown, as no controllers run`,
			is: (divergence) =>
				of(nodes, divergence) && divergence.type === 'Missing' && divergence.reason === 'ControllerDown',
		}),
		may: ({reason}) => reason === 'ControllerDown',
	},
	{name: 'a longer grace period', victims: 1, ...restartWith(gracePeriod, '65s', 'SetUnknown')},
	{name: 'a slower rate', victims: 2, ...restartWith(rate, '0.03', 'TaintNode')},
	{name: 'a faster rate', victims: 2, ...restartWith(rate, '3', 'TaintNode')},
	{name: 'a shorter grace period', victims: 1, ...restartWith(gracePeriod, '22s', 'SetUnknown')},
];

/** The context of a round. */
type RoundParts = {
	readonly world: World;
	readonly random: Random;
	readonly trouble: Trouble;
	readonly interventions: Intervention[];
	readonly say: (line: string) => void;
	/** Called while nodes are down, before everything is restored. */
	readonly storm: () => Promise<void>;
};

const never = () => false;
const second = 1000;

/** Plays random outages, users, wrong statuses, denials, and one trouble of the controllers; restores everything at the end. */
export async function playRound({
	world,
	random,
	trouble,
	interventions,
	say,
	storm,
}: RoundParts): Promise<void> {
	const zones = shuffled(world.zones(), random);
	const [first = [], other = [], third = []] = zones.map((nodes) => shuffled(nodes, random));
	const [dead = '', briefly = ''] = first;
	const [tainted = '', upkeep = ''] = other;
	const [liar = ''] = third;
	const victims = third.slice(1, 1 + trouble.victims);
	const begin = (name: string, more: Partial<Intervention> = {}): Intervention => {
		const intervention = {
			name,
			from: Date.now(),
			until: Number.POSITIVE_INFINITY,
			must: [],
			may: never,
			...more,
		};
		interventions.push(intervention);
		say(name);
		return intervention;
	};
	const pause = (least: number, more: number) => sleep((least + random.next() * more) * second);

	const denied = begin(`a policy denies that pods ${protectedKind} are deleted`, {
		may: ({action, reason, object}) =>
			action === 'DeletePod' && reason === 'DeletionDenied' && object.name.endsWith(protectedKind),
		must: [
			{
				words: `${dead}-${protectedKind} is not deleted`,
				lasts: true,
				is: (divergence) =>
					divergence.object.name === `${dead}-${protectedKind}` &&
					divergence.type === 'Missing' &&
					divergence.reason === 'DeletionDenied',
			},
		],
	});
	await world.deny(true);
	begin(`${dead} dies`);
	world.stop(dead);
	await pause(1, 4);
	const isForeign = ({reason, object}: Divergence) =>
		reason === 'ForeignTaint' && object.name.startsWith(tainted);
	const chosen = begin(`somebody puts the controllers' own taint on ${tainted}`, {
		may: isForeign,
		must: [
			{
				words: `${tainted} is tainted by somebody`,
				is: (divergence) =>
					divergence.object.name === tainted && divergence.action === 'TaintNode' && isForeign(divergence),
			},
		],
	});
	await world.taint(tainted, [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'}]);
	await pause(1, 6);
	const kept = begin(`somebody taints ${upkeep} for maintenance`, {
		may: ({reason, object}) => reason === 'ForeignTaint' && object.name.startsWith(`${upkeep}-`),
	});
	await world.taint(upkeep, [{key: 'maintenance', effect: 'NoExecute'}]);
	begin(`${liar} says that it is not ready`);
	await world.setReady(liar, 'False');
	begin(`${briefly} dies for a while`);
	world.stop(briefly);
	await pause(8, 10);
	await world.taint(upkeep, []);
	kept.until = Date.now();
	await world.setReady(liar, 'True');
	say(`${liar} says that it is ready`);
	chosen.until = Date.now() + 8 * second;
	await pause(25, 20);
	await world.start(briefly);
	say(`${briefly} is back`);
	for (let left = 14; left > 0; left -= 1) {
		await pause(2, 0.3);
		await world.touch(dead);
	}
	await makeTrouble({world, trouble, victims, begin, interventions, say});
	await storm();
	await world.restore();
	denied.until = Date.now() + 5 * second;
}

type TroubleParts = Pick<RoundParts, 'world' | 'trouble' | 'interventions' | 'say'> & {
	readonly victims: readonly string[];
	readonly begin: (name: string, more?: Partial<Intervention>) => Intervention;
};

/** How long the controllers deviate, from the failure of their victims on. */
const troubled = 85 * second;

async function makeTrouble({world, trouble, victims, begin, say}: TroubleParts): Promise<void> {
	const isRestart = ({reason}: Divergence) => reason === 'ControllerRestarted' || reason === 'ControllerDown';
	const change = begin('the controllers are killed', {may: isRestart});
	await world.killControllers();
	if (trouble.flags) await world.startControllers(trouble.flags);
	const intervention = begin(`${victims.join(', ')} die with ${trouble.name}`, {
		must: [trouble.must(victims)],
		may: trouble.may,
	});
	world.stop(...victims);
	await sleep(trouble.flags ? troubled : 50 * second);
	intervention.until = Date.now() + 60 * second;
	if (trouble.flags) await world.killControllers();
	await world.startControllers();
	say('the controllers run as they should');
	change.until = Date.now() + 90 * second;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
	return items
		.map((item) => ({item, rank: random.next()}))
		.toSorted((a, b) => a.rank - b.rank)
		.map(({item}) => item);
}
