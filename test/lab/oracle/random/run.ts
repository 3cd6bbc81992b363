import {parseArgs} from 'node:util';
import {skipsWithoutGo} from '../../../e2e/buildControlPlane.ts';
import {buildRecorder, isVersion, repairOf} from '../release.ts';
import {drawnDevices, drawnOutages, drawnRepairs, playDrawn} from './playDrawn.ts';
import {playKubelets} from './playKubelets.ts';
import {playOutages} from './playOutages.ts';
import {randomOutage} from './randomOutage.ts';
import {randomThrottled} from './randomThrottled.ts';
import {Tally} from './tally.ts';

const usage = `usage: npm run lab -- random VERSION FROM-TO [--legacy | --kubelet | --devices | --throttled] [--out FOLDER] [--seeds N] [--limit SECONDS]

Draws outages, lets the real controllers of a Kubernetes release play each, and seeks choices of chance with which the port does
the same. What it does not find may be chance that it did not try: look at the outage. Of a release of Karpenter, as
karpenter-v1.14.1, of OpenShift's machine-api-operator, as machineapi-VERSION, or of Cluster API, as
clusterapi-v1.14.2, unhealthy nodes for its node repair.

  --legacy   without taints, as until v1.17 with TaintBasedEvictions=false
  --kubelet  nodes that run short, for the kubelet's eviction manager (v1.36 and newer)
  --devices  tainted devices, for the device taint eviction controller (v1.36 and newer)
  --throttled  big outages whose passes take seconds, as the controllers' client waits for its throttle
  --out DIR  keeps the vectors; of --kubelet there are none. What is kept is played thirty times, and held to all of it
  --seeds N  how many choices of chance are tried for each; 60. Elsewhere how often the real one plays each; 20, 30 with
             --throttled, or 5 of node repair
  --limit N  gives an outage up that the real ones have not played in so many seconds of wall time; 60`;

process.exit(await main());

async function main(): Promise<number> {
	const options = {
		legacy: {type: 'boolean'},
		kubelet: {type: 'boolean'},
		devices: {type: 'boolean'},
		throttled: {type: 'boolean'},
		out: {type: 'string'},
		seeds: {type: 'string'},
		limit: {type: 'string'},
	} as const;
	const {values, positionals} = parseArgs({allowPositionals: true, options});
	const [version = '', range = ''] = positionals;
	const [, from, to] = /^(\d+)-(\d+)$/.exec(range) ?? [];
	if (!isVersion(version) || from === undefined) {
		console.error(usage);
		return 2;
	}
	if (skipsWithoutGo()) return 0;
	const seeds = Array.from({length: Number(to) - Number(from) + 1}, (_, index) => Number(from) + index);
	const patienceFor = () => AbortSignal.timeout(Number(values.limit ?? 60) * 1000);
	const tally = new Tally(console.log);
	if (values.kubelet) {
		const program = buildRecorder('kubelet', version, console.log);
		await playKubelets(seeds, {program, runs: Number(values.seeds ?? 20), patienceFor}, tally);
	} else if (values.devices) {
		const program = buildRecorder('devices', version, console.log);
		const task = {program, runs: Number(values.seeds ?? 20), patienceFor};
		await playDrawn(drawnDevices, {seeds, version, out: values.out}, task, tally);
	} else if (values.throttled) {
		const task = {program: buildRecorder('record', version, console.log), runs: Number(values.seeds ?? 30)};
		await playDrawn(drawnOutages(randomThrottled), {seeds, version, out: values.out}, task, tally);
	} else if (repairOf(version) !== undefined) {
		// Its results are not random.
		const task = {program: buildRecorder('repair', version, console.log), runs: Number(values.seeds ?? 5)};
		await playDrawn(drawnRepairs(version), {seeds, version, out: values.out}, task, tally);
	} else {
		const program = buildRecorder('record', version, console.log);
		const kind = {isLegacy: values.legacy ?? false, hasBetaLabels: version.startsWith('v1.16.')};
		if (values.out !== undefined) {
			const task = {program, runs: Number(values.seeds ?? 30), patienceFor};
			const draw = (seed: number) => randomOutage(seed, kind);
			await playDrawn(drawnOutages(draw), {seeds, version, out: values.out}, task, tally);
			console.log(tally.text);
			return tally.isRight ? 0 : 1;
		}
		await playOutages(
			version,
			seeds,
			kind,
			Number(values.seeds ?? 60),
			{program, runs: 1, patienceFor},
			tally,
		);
	}
	console.log(tally.text);
	return tally.isRight ? 0 : 1;
}
