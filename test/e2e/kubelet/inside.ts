import {join} from 'node:path';
import {parseArgs} from 'node:util';
import type {Check} from '../judge.ts';
import {summary} from '../report.ts';
import {builtPlugin, runSession, type Session, say} from '../session.ts';
import {judgePlayed, measure, type Played} from './judge.ts';
import type {Place} from './namespaces.ts';
import {RealNode} from './node.ts';
import {keep, play} from './play.ts';
import {createPriorities} from './pods.ts';
import type {Programs} from './programs.ts';
import {scenarios} from './scenarios.ts';

// The suite, as the first process of its namespaces: all others end with it, and it ends with whoever holds its input.
process.stdin.resume().once('close', () => process.exit(143));

const [place, programs, ...rest] = process.argv.slice(2);
const {
	values: {plugin, all, only, times},
} = parseArgs({
	args: rest,
	options: {
		plugin: {type: 'string', default: builtPlugin},
		all: {type: 'boolean', default: false},
		only: {type: 'string'},
		times: {type: 'string', default: '1'},
	},
});

/** What is judged each time that all suites run. It takes four minutes, and what else the machine does is not measured in it. */
const usual = ['allocatable memory'];

const chosen = scenarios.filter(({name}) => (only ? name.includes(only) : all || usual.includes(name)));
process.exit(await runSession(run, plugin, {layout: {a: 2}, podKinds: {}}));

async function run({cluster: {admin, controlPlane}, processes, folder, signal}: Session): Promise<number> {
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
	const checks: Check[] = [];
	for (const scenario of chosen) {
		for (let time = 0; time < Number(times); time++) {
			const played = await play(scenario, node, admin, {file: String(plugin), kubeconfig, signal});
			keep(played, join(folder, 'played', String(time)));
			checks.push(...judgePlayed(played));
			console.log(rowOf(played));
		}
	}
	console.log(summary(checks));
	return checks.every(({failures}) => failures.length === 0) ? 0 : 1;
}

function rowOf(played: Played): string {
	return `${played.scenario}: ${JSON.stringify(measure(played))}`;
}
