import {spawnSync} from 'node:child_process';
import {join} from 'node:path';

/** A tool of the lab: the file that `npm run lab -- NAME` runs, and its description. */
type LabTool = {readonly file: string; readonly does: string; readonly needsBuild?: true};

const tools: Readonly<Record<string, LabTool>> = {
	oracle: {
		file: 'oracle/run.ts',
		does: 'plays scenarios with the real controllers of a release: checks the vectors, or records new ones',
	},
	release: {
		file: 'oracle/newRelease.ts',
		does: 'plays all scenarios with a release of Kubernetes, VERSION: prints what differs, and writes its row into docs/settings.md',
	},
	random: {
		file: 'oracle/random/run.ts',
		does: 'has the real controllers and the port play outages that are drawn',
	},
	accuracy: {
		file: 'accuracy/run.ts',
		does: 'plays outages on real control planes; writes their tables into docs/accuracy.md; with --seed N --count K it draws others, and plays them on the simulation',
	},
	ablation: {
		file: 'ablation/run.ts',
		does: 'takes mechanisms of the forecast out, one at a time, and plays outages without each: --times N for more, --write for the table',
	},
	versions: {
		file: 'accuracy/versions.ts',
		does: 'plays three outages on the oldest control plane that builds; writes their table into docs/accuracy.md',
	},
	soak: {
		file: '../e2e/shadow/run.ts',
		does: 'runs the shadow beside a real control plane for as long as --minutes says',
		needsBuild: true,
	},
	kubelet: {
		file: '../e2e/kubelet/run.ts',
		does: 'plays --all, or --only NAME, --times N on a real kubelet; --table docs/accuracy.md writes what it measured into it',
		needsBuild: true,
	},
	deleters: {
		file: 'deleters/run.ts',
		does: 'plays --count N outages from --seed N on, in which others delete pods, too, each on a real control plane, --lanes N at a time',
		needsBuild: true,
	},
	slices: {
		file: 'slices/run.ts',
		does: 'chooses the drawn cases that npm test runs, so that they reach all code that all cases reach',
	},
};

const [name = '', ...options] = process.argv.slice(2);
process.exit(main());

function main(): number {
	const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
	if (!tool) {
		const width = Math.max(...Object.keys(tools).map((known) => known.length));
		const lines = Object.entries(tools).map(([known, {does}]) => `  ${known.padEnd(width)}  ${does}`);
		console.error(`usage: npm run lab -- NAME [OPTIONS]\n\n${lines.join('\n')}`);
		return 2;
	}
	if (tool.needsBuild) {
		const build = run(join(import.meta.dirname, '../../scripts/build.ts'), []);
		if (build !== 0) return build;
	}
	return run(join(import.meta.dirname, tool.file), options);
}

/** Runs a script with the project's Node.js; returns its exit code. */
function run(file: string, args: readonly string[]): number {
	return spawnSync(process.execPath, [...process.execArgv, file, ...args], {stdio: 'inherit'}).status ?? 1;
}
