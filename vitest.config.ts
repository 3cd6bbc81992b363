import {globSync, readFileSync} from 'node:fs';
import {availableParallelism, devNull} from 'node:os';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {CountReporter} from './test/support/countReporter.ts';

/** The suites that draw their cases: a deep run plays all of these, and nothing else. */
const drawnSuites = () =>
	globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('support/drawn.ts'));

/** Tests of other programs than this process, the built one and kubectl: they belong to the end-to-end suites. */
const programTests = ['test/e2e/program/*.test.ts', 'test/e2e/kubectl/*.test.ts'];
/** Tests of what is published: packing builds the program anew, so nothing else may run it meanwhile. */
const releaseTests = ['test/e2e/release/*.test.ts'];

/** What a mode runs; any other runs all unit tests. */
const includes: Readonly<Record<string, () => string[]>> = {
	deep: drawnSuites,
	program: () => programTests,
	release: () => releaseTests,
};

/** Files that take more than three seconds, from the longest on: begun at the end, one would keep the other cores waiting. */
const slowest = [
	'cmd/clusters',
	'cmd/everyOutput',
	'cmd/replayOutput',
	'shadow/divergences',
	'cluster/faults',
	'cluster/access/execCredentials',
	'shadow/soundness',
	'cmd/recordedPressure',
	'demo/truth',
	'report/report',
	'forecast/whatif/scenarios',
	'shadow/compare/unconfirmed',
	'forecast/midPass',
	'forecast/throttledVectors',
	'forecast/leaseReads',
	'cmd/fuzz',
	'cmd/replayEqualsLive',
	'recording/format/recording',
].map((name) => `/test/${name}.test.ts`);

class SlowestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({moduleId}: TestSpecification) => {
			const place = slowest.findIndex((name) => moduleId.endsWith(name));
			return place < 0 ? slowest.length : place;
		};
		return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
	}
}

/** Deep tests of many drawn cases take minutes, and so do quick ones on a busy machine. */
const limitOf = (mode: string) => (mode === 'deep' ? 1_800_000 : 300_000);

export default defineConfig(({mode}) => ({
	test: {
		include: includes[mode]?.() ?? ['test/**/*.test.ts'],
		exclude: mode === 'program' || mode === 'release' ? [] : [...programTests, ...releaseTests],
		globalSetup: mode === 'program' ? 'test/support/buildProgram.ts' : [],
		// No state and no configuration: what somebody's own runs have learned of the demo would change what tests see.
		env: {
			...{FORCE_COLOR: '0', TZ: 'UTC', XDG_STATE_HOME: devNull, XDG_CONFIG_HOME: '/nonexistent'},
			...(mode === 'deep' && {EVICTWATCH_DEEP: '1'}),
		},
		// One file a core, and one more: some tests wait for a server that does not answer.
		maxWorkers: availableParallelism() + 1,
		// Drawn outages make much that is soon garbage. With room for it, a run takes a sixth less time.
		execArgv: [...process.execArgv, '--max-semi-space-size=64'],
		sequence: {sequencer: SlowestFirst},
		// A worker keeps the modules that it has loaded: loading them anew for each file took half of the time. Node.js
		// loads them itself, as it does in every other command, and looks for no mocks: there are none.
		isolate: false,
		experimental: {viteModuleRunner: false, nodeLoader: false},
		// No test is a race: limits are there for what hangs, on a machine with other work to do.
		testTimeout: limitOf(mode),
		hookTimeout: limitOf(mode),
		expect: {poll: {timeout: 100_000, interval: 10}},
		reporters: ['default', new CountReporter()],
	},
}));
