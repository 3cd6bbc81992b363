import {parseArgs} from 'node:util';
import {buildControlPlane, kubernetesVersion, skipsWithoutGo} from '../../e2e/buildControlPlane.ts';
import {type PlayReal, playDrawn} from './drawnRun.ts';
import {experiments} from './experiments.ts';
import {type Experiment, type Kubernetes, record, type Say} from './laboratory.ts';
import {keepRecording} from './recording.ts';
import {writeReport} from './report.ts';

const {values: options, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		/** How many control planes run at the same time. */
		jobs: {type: 'string', default: '3'},
		/** Plays nothing: makes the forecasts and the report again from the recordings. */
		judge: {type: 'boolean'},
		/** Only records. */
		record: {type: 'boolean'},
		/** Draws outages from this seed on, instead of playing the named ones. */
		seed: {type: 'string'},
		/** How many are drawn. */
		count: {type: 'string', default: '20'},
		/** Also draws rare kinds; only on the simulation. */
		rare: {type: 'boolean', default: false},
		/** Mixes more of each kind, and more kinds; only on the simulation. */
		crowded: {type: 'boolean', default: false},
		/** Draws failures of large zones; only on the simulation. */
		large: {type: 'boolean', default: false},
		/** Where drawn outages are played: `simulation` or `control-plane`. */
		on: {type: 'string', default: 'simulation'},
	},
});

const started = Date.now();
const sayOf =
	(name: string): Say =>
	(line) =>
		console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}: ${line}`);

process.exit(await main());

async function main(): Promise<number> {
	if (options.seed !== undefined) return await drawn(Number(options.seed), Number(options.count));
	const known = experiments.map(({name}) => name);
	const strange = positionals.filter((name) => !known.includes(name));
	if (strange.length > 0) {
		console.error(`error: there is no ${strange.join(', ')}; there are ${known.join(', ')}`);
		return 2;
	}
	let failed = 0;
	if (!options.judge) {
		if (skipsWithoutGo()) return 0;
		const chosen = experiments.filter(({name, takesLong}) =>
			positionals.length > 0 ? positionals.includes(name) : !takesLong,
		);
		failed = await recordAll(chosen, {
			program: buildControlPlane(sayOf('build')),
			version: kubernetesVersion(),
		});
	}
	if (!options.record) writeReport(console.log);
	return failed > 0 ? 1 : 0;
}

/** Plays drawn outages, and prints what is wrong, without saving anything. */
async function drawn(seed: number, count: number): Promise<number> {
	if (
		!Number.isInteger(seed) ||
		!Number.isInteger(count) ||
		!['simulation', 'control-plane'].includes(options.on)
	) {
		console.error('usage: npm run lab -- accuracy --seed N [--count K] [--on simulation|control-plane]');
		return 2;
	}
	let playReal: PlayReal | undefined;
	if (options.on === 'control-plane') {
		if (skipsWithoutGo()) return 0;
		const kubernetes = {program: buildControlPlane(sayOf('build')), version: kubernetesVersion()};
		playReal = (experiment) => record(experiment, kubernetes, sayOf(experiment.name));
	}
	const mix = options.large ? 'large' : options.crowded ? 'crowded' : options.rare ? 'seldom' : 'often';
	return (await playDrawn({seed, count, mix}, console.log, playReal)) > 0 ? 1 : 0;
}

/** Plays the outages, a few at a time; returns how many could not be played. */
async function recordAll(chosen: readonly Experiment[], kubernetes: Kubernetes): Promise<number> {
	const waiting = [...chosen];
	let failed = 0;
	const worker = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const say = sayOf(next.name);
			try {
				say(`kept in ${keepRecording(await record(next, kubernetes, say))}`);
			} catch (error) {
				failed += 1;
				say(`failed: ${error instanceof Error ? error.stack : error}`);
			}
		}
	};
	await Promise.all(Array.from({length: Number(options.jobs)}, worker));
	return failed;
}
