import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {Random} from '../../../src/core/time/random.ts';
import {viewerVerbs} from '../cluster.ts';
import type {Check} from '../judge.ts';
import {summary} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {type Blind, type Deed, judge} from './deeds.ts';
import {playRound, troubles} from './round.ts';
import {ShadowProcess} from './shadowProcess.ts';
import {wordsOf} from './told.ts';
import {World} from './world.ts';

const {values: options} = parseArgs({
	options: {
		minutes: {type: 'string', default: '3'},
		seed: {type: 'string', default: `${Date.now() % 100_000}`},
		plugin: {type: 'string', default: builtPlugin},
		/** Which trouble the first round has; each next one has the next. */
		trouble: {type: 'string', default: '0'},
		'without-kills': {type: 'boolean', default: false},
	},
});

/** What the controllers run with, and what the shadow is told; shorter than the defaults, to see more in the time. */
const flags = ['--node-monitor-grace-period=30s', '--node-eviction-rate=0.2'];
const settling = 25_000;
/** What a shadow that was started needs to be in step. */
const catchingUp = 5000;

process.exit(await runSession(soak, options.plugin, {layout: {a: 4, b: 4, c: 4}, flags}));

/** Plays rounds until the time is over, kills the shadow and the API server, and judges what was told. */
async function soak(session: Session): Promise<number> {
	const random = new Random(Number(options.seed));
	say(`seed ${options.seed}`);
	const {cluster, folder, signal} = session;
	const plugin = {file: options.plugin, kubeconfig: cluster.controlPlane.viewerKubeconfig, signal};
	const shadow = new ShadowProcess(plugin, flags, ({told}) =>
		say(`      told: ${wordsOf(told)}: ${told.because.join(' ')}`),
	);
	const [deeds, blind]: [Deed[], Blind[]] = [[], []];
	const world = new World(session);
	await sleep(settling);
	await shadow.start();
	await sleep(catchingUp);
	const endsAt = Date.now() + Number(options.minutes) * 60_000;
	let kills = 0;
	let restarts = 0;
	for (let round = 0; round === 0 || Date.now() < endsAt; round += 1) {
		const trouble = troubles[(Number(options.trouble) + round) % troubles.length];
		if (!trouble) throw new Error('there is no such trouble');
		say(`round ${round + 1}: ${trouble.name}`);
		const isOver = new AbortController();
		const killing = options['without-kills']
			? undefined
			: killSometimes(shadow, random, blind, isOver.signal);
		await playRound({world, random, trouble, deeds, say});
		isOver.abort();
		kills += (await killing) ?? 0;
		await restartServer(world, deeds, blind);
		restarts += 1;
		shadow.measure();
		await sleep(settling);
	}
	const code = await shadow.end();
	const judgement = judge(deeds, shadow.heard, blind);
	writeFileSync(
		join(folder, 'evidence.json'),
		JSON.stringify({deeds, blind, heard: shadow.heard}, null, '\t'),
	);
	for (const line of judgement.found) console.log(`found   ${line}`);
	for (const line of judgement.unseen) console.log(`unseen  ${line}`);
	console.log(`${shadow.heard.length} lines told, ${kills} kills, ${restarts} restarts of the API server`);
	console.log(`memory: ${shadow.memory.map((kilobytes) => `${Math.round(kilobytes / 1000)} MB`).join(', ')}`);
	const checks: Check[] = [
		{name: 'nothing is told that is not true', failures: judgement.wrong},
		{name: 'all that is true is told', failures: judgement.missed},
		{name: 'nothing is told twice in one life', failures: repeated(shadow)},
		{name: 'the shadow ends when it is asked to', failures: code === 0 ? [] : [`it ended with ${code}`]},
		{
			name: 'the shadow only gets, lists and watches',
			failures: [...viewerVerbs(cluster.controlPlane)].filter(
				(verb) => !['get', 'list', 'watch'].includes(verb),
			),
		},
	];
	console.log(summary(checks));
	return checks.every(({failures}) => failures.length === 0) ? 0 : 1;
}

async function restartServer(world: World, deeds: Deed[], blind: Blind[]): Promise<void> {
	say('the API server is killed');
	const deed: Deed = {
		...{name: 'the API server is killed', from: Date.now(), until: Number.POSITIVE_INFINITY, must: []},
		may: ({reason}) => reason === 'ControllerRestarted' || reason === 'ControllerDown',
	};
	deeds.push(deed);
	await world.restartApiServer();
	deed.until = Date.now() + 60_000;
	blind.push({from: deed.from, until: Date.now() + 60_000});
}

/** Kills the shadow with -9 at random, and starts it again. */
async function killSometimes(
	shadow: ShadowProcess,
	random: Random,
	blind: Blind[],
	signal: AbortSignal,
): Promise<number> {
	for (let kills = 0; ; kills += 1) {
		await sleep(30_000 + random.next() * 120_000, undefined, {signal}).catch(() => undefined);
		if (signal.aborted) return kills;
		const from = Date.now();
		say('the shadow is killed');
		await shadow.kill();
		await shadow.start();
		blind.push({from, until: Date.now() + catchingUp});
	}
}

/** What one life of the shadow told twice in the same words. */
function repeated(shadow: ShadowProcess): readonly string[] {
	const counts = Map.groupBy(
		shadow.heard,
		({life, told}) => `life ${life}: ${JSON.stringify({...told, noticedAt: ''})}`,
	);
	return [...counts].filter(([, all]) => all.length > 1).map(([line]) => line);
}
