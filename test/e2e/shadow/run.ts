import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {Random} from '../../../src/core/time/random.ts';
import {viewerVerbs} from '../cluster.ts';
import type {ClockOffsets} from '../fleet.ts';
import {followsLostToken, heldUpFor, type LostToken, lostTokens} from '../lostTokens.ts';
import {report} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {wordsOf} from './divergence.ts';
import type {Gap, Intervention} from './interventions.ts';
import {catchingUp, killAtRandom, storm} from './kills.ts';
import {playRound, troubles} from './round.ts';
import {ShadowProcess} from './shadowProcess.ts';
import {fromTo, verdictOf} from './verdict.ts';
import {World} from './world.ts';

const {values: options} = parseArgs({
	options: {
		minutes: {type: 'string', default: '3'},
		seed: {type: 'string', default: `${Date.now() % 100_000}`},
		plugin: {type: 'string', default: builtPlugin},
		/** The trouble of the first round; each further round has the next one. */
		trouble: {type: 'string', default: '0'},
		/** How many times in a row each round kills the API server. */
		restarts: {type: 'string', default: '4'},
		'without-kills': {type: 'boolean', default: false},
	},
});

/** The flags of the controllers, which the shadow also gets; shorter than the defaults, so that more happens in the time. */
const flags = ['--node-monitor-grace-period=30s', '--node-eviction-rate=0.2'];
const settling = 25_000;
/** Kubelets with wrong clocks, in milliseconds: controllers use the time when they observed a renewal. */
const clockOffsets: ClockOffsets = {'a-3': -180_000, 'b-1': 95_000, 'c-2': 240_000};

process.exit(await runSession(soak, options.plugin, {layout: {a: 4, b: 4, c: 4}, flags, clockOffsets}));

/** Plays rounds until the time is over with two shadows, one of which is killed repeatedly, and judges both. */
async function soak(session: Session): Promise<number> {
	const random = new Random(Number(options.seed));
	say(`seed ${options.seed}`);
	const {cluster, folder, signal} = session;
	const plugin = {file: options.plugin, kubeconfig: cluster.controlPlane.viewerKubeconfig, signal};
	const shadowNamed = (name: string) =>
		new ShadowProcess(name, plugin, flags, ({divergence}) =>
			say(`      ${name}: ${wordsOf(divergence)}: ${divergence.because.join(' ')}`),
		);
	const [steady, killed] = [shadowNamed('steady'), shadowNamed('killed')];
	const interventions: Intervention[] = [];
	const [unseen, unseenByKilled]: [Gap[], Gap[]] = [[], []];
	const world = new World(session, clockOffsets);
	await sleep(settling);
	await Promise.all([steady.start(), killed.start()]);
	await sleep(catchingUp);
	const isOver = new AbortController();
	const killing = options['without-kills']
		? undefined
		: killAtRandom(killed, new Random(Number(options.seed) + 1), unseenByKilled, isOver.signal);
	// Awaited at the end; until then it must not be an unhandled rejection.
	killing?.catch(() => undefined);
	const restarts = await playRounds({world, random, steady, interventions, gaps: [unseen, unseenByKilled]});
	isOver.abort();
	const kills = (await killing) ?? 0;
	const [code, codeOfKilled] = await Promise.all([steady.end(), killed.end()]);
	const lost = lostTokens(cluster.controlPlane.controllerManagerLog);
	interventions.push(...lost.map(lostTokenOf));
	writeFileSync(
		join(folder, 'evidence.json'),
		JSON.stringify(
			{...{interventions, unseen, unseenByKilled}, ...{steady: steady.reports, killed: killed.reports}},
			null,
			'\t',
		),
	);
	const checks = [
		...verdictOf({shadow: steady, gaps: unseen, code}, interventions),
		...verdictOf({shadow: killed, gaps: unseenByKilled, code: codeOfKilled}, interventions),
		{
			name: 'the shadows only get, list and watch',
			failures: [...viewerVerbs(cluster.controlPlane)].filter(
				(verb) => !['get', 'list', 'watch'].includes(verb),
			),
		},
	];
	console.log(
		`${kills} kills, ${restarts} restarts of the API server; memory of steady ${fromTo(steady.memory)}`,
	);
	return report(checks);
}

/** What a token that the controller lost does to reports. */
function lostTokenOf(token: LostToken): Intervention {
	return {
		...{name: `a token of zone ${token.zone} was lost`, from: token.at, until: token.at + heldUpFor},
		...{must: [], may: (divergence) => followsLostToken(divergence, [token])},
	};
}

type Rounds = {
	readonly world: World;
	readonly random: Random;
	readonly steady: ShadowProcess;
	readonly interventions: Intervention[];
	/** When each shadow could not observe the cluster. */
	readonly gaps: Gap[][];
};

/** Plays rounds one after another; returns how often the API server was restarted. */
async function playRounds({world, random, steady, interventions, gaps}: Rounds): Promise<number> {
	const endsAt = Date.now() + Number(options.minutes) * 60_000;
	const times = Number(options.restarts);
	let round = 0;
	for (; round === 0 || Date.now() < endsAt; round += 1) {
		const trouble = troubles[(Number(options.trouble) + round) % troubles.length];
		if (!trouble) throw new Error('there is no such trouble');
		say(`round ${round + 1}: ${trouble.name}`);
		steady.measure();
		await playRound({
			...{world, random, trouble, interventions, say},
			storm: async () => {
				say(`the API server is killed ${times} times`);
				await storm(world, random, times, {interventions, gaps});
				await sleep(settling);
			},
		});
		await sleep(settling);
	}
	steady.measure();
	return round * times;
}
