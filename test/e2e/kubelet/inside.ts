import {join} from 'node:path';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {runSession, type Session, say} from '../session.ts';
import {judgePlayed} from './judge.ts';
import type {Place} from './namespaces.ts';
import {prepareNetwork, RealNode} from './node.ts';
import {optionsOf} from './options.ts';
import {judgeOwnPort} from './ownPort.ts';
import {play} from './play.ts';
import {createPriorities} from './pods.ts';
import type {Programs} from './programs.ts';
import {scenarios} from './scenarios.ts';
import {judgeSilence, keepSilence, silences} from './silence.ts';
import {type Figures, figuresOf, figuresOfSilence, writeTable} from './table.ts';

// The suite is the first process of its namespaces: all others end with it, and it ends when its input closes.
process.stdin.resume().once('close', () => process.exit(143));

const [place, programs, ...rest] = process.argv.slice(2);
const {plugin, all, only, table, times, evidence} = optionsOf(rest);

/** Played each time that all suites run: it takes eleven minutes, and other programs on the machine do not affect it. */
const usual: readonly string[] = ['steady leak', 'disk', 'inodes', 'killed', 'frozen'];

const isChosen = (name: string) => only?.includes(name) ?? (all || usual.includes(name));
prepareNetwork();
process.exit(await runSession(run, plugin, {layout: {a: 2}, podKinds: {}}));

async function run({cluster, processes, folder, signal}: Session): Promise<number> {
	const {admin, controlPlane} = cluster;
	const kubeconfig = controlPlane.adminKubeconfig;
	const node = new RealNode(
		processes,
		JSON.parse(String(programs)) as Programs,
		JSON.parse(String(place)) as Place,
		admin,
		kubeconfig,
		folder,
	);
	await createPriorities(admin);
	await node.prepare();
	await node.startKubelet({});
	say('a real node is ready');
	const follower = {file: plugin, kubeconfig, signal};
	const checks: Check[] = [...(await judgeOwnPort(cluster, follower, folder))];
	const figures: Figures[] = [];
	const plays = evidence ?? join(folder, 'played');
	for (let time = 0; time < Number(times); time++) {
		for (const scenario of scenarios.filter(({name}) => isChosen(name))) {
			const played = await play(scenario, node, admin, follower, join(plays, String(time)));
			checks.push(...judgePlayed(played));
			figures.push(figuresOf(played));
			say(JSON.stringify(figures.at(-1)));
		}
		for (const how of silences.filter(isChosen)) {
			const {outcomes, ...judged} = await judgeSilence(how, node, cluster, follower);
			checks.push(...judged.checks);
			keepSilence(join(plays, String(time)), {how, outcomes});
			figures.push(figuresOfSilence(how, outcomes));
			say(JSON.stringify(figures.at(-1)));
		}
		if (table) writeTable(table, figures);
	}
	return report(checks);
}
