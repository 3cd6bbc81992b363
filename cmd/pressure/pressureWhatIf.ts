import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {connect} from '../../src/cluster/cluster.ts';
import type {Node} from '../../src/core/model/node.ts';
import {type Observations, observeSignals} from '../../src/core/nodepressure/thresholds/observations.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import {
	type PressureWhatIf,
	type SupposedPressure,
	withSupposedPressure,
} from '../../src/forecast/pressure/whatIf.ts';
import {systemClock} from '../../src/live/clock.ts';
import {formatPressureWhatIf, pressureWhatIfJson} from '../../src/print/whatif/pressureWhatIf.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import {printAnswer} from '../questions/answer.ts';
import {PressureLooks} from './pressureLooks.ts';
import {type PressureRequest, pressureRequests} from './pressureRequests.ts';

/** `what-if --pressure`: whom the kubelets of some nodes would evict if so much were left. */
export async function pressureWhatIf(options: Options, terminal: Terminal): Promise<number> {
	const requests = pressureRequests(options.flags.pressure);
	if (options.filenames.length > 0) {
		throw new UserError(
			'files hold no statistics of kubelets: what pressure would do cannot be told from them',
			'ask a cluster: leave out --filename',
		);
	}
	const timing = {...systemTiming, now: systemClock.now};
	const cluster = await connect(options.flags, systemEnvironment(), timing);
	try {
		const {nodes} = await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		const looks = new PressureLooks(cluster);
		const meant = [...new Set(requests.map(({node}) => node))].map((name) => nodeNamed(name, nodes));
		const {problems} = await looks.look(meant);
		const now = cluster.now();
		const found = meant.map((node) => {
			const own = requests.filter((one) => one.node === node.name);
			return answerOf(looks.book.evidenceOf(node), own, now);
		});
		const {output, showHeaders, timeZone} = options;
		const tableOptions = {isWide: output === 'wide', showHeaders, timeZone};
		const text = () => formatPressureWhatIf(found, tableOptions, now);
		const document = () => pressureWhatIfJson(found, problems, now);
		await printAnswer({text, document, problems, now}, options, terminal);
		return 0;
	} finally {
		await cluster.close();
	}
}

function nodeNamed(name: string, nodes: readonly Node[]): Node {
	const node = nodes.find((one) => one.name === name);
	if (node) return node;
	throw new UserError(
		`there is no node ${JSON.stringify(name)}`,
		'see what there is with `kubectl evictwatch nodes`',
	);
}

function answerOf(
	evidence: PressureEvidence,
	requests: readonly PressureRequest[],
	now: Instant,
): PressureWhatIf {
	const newest = evidence.samples.at(-1);
	if (!newest) {
		throw new UserError(
			`nothing was measured of node ${evidence.node}: there is nothing to rank its pods by`,
			'ask for a role that may get nodes/proxy (deploy/kubelets.yaml), or one that may read metrics.k8s.io (deploy/metrics.yaml)',
		);
	}
	const observed = observeSignals(newest.summary);
	const supposed = requests.map((request) => amountOf(request, observed));
	const left = new Map(supposed.map(({signal, left: amount}) => [signal, amount]));
	return {
		supposed,
		before: forecastPressure(evidence, now),
		after: forecastPressure(withSupposedPressure(evidence, left, now), now),
	};
}

function amountOf({node, signal, left}: PressureRequest, observed: Observations): SupposedPressure {
	const capacity = observed.get(signal)?.capacity;
	if (capacity === undefined) {
		throw new UserError(
			`${signal} is not measured of node ${node}`,
			`choose one of: ${[...observed.keys()].join(', ')}`,
		);
	}
	if ('amount' in left) return {node, signal, left: left.amount};
	return {node, signal, left: BigInt(Math.round(Number(capacity) * left.share))};
}
