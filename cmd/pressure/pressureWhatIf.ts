import {validQuantity} from '../../src/cluster/kubelet/decodeNodePod.ts';
import type {Node} from '../../src/core/model/node.ts';
import {int64Of} from '../../src/core/nodepressure/quantities/quantity.ts';
import {type Observations, observeSignals} from '../../src/core/nodepressure/thresholds/observations.ts';
import {isSignal, type Signal, signals} from '../../src/core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import type {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import {
	type PressureWhatIf,
	type SupposedPressure,
	withSupposedPressure,
} from '../../src/forecast/pressure/supposedPressure.ts';
import {formatPressureWhatIf, pressureWhatIfJson} from '../../src/print/whatif/pressureWhatIf.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {invalidValue} from '../args/usageError.ts';
import {printAnswer} from '../output/answer.ts';
import {tableOptions} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {sceneOfFiles} from '../sources/fileScene.ts';
import {PressureLooks, type PressureSeen} from '../sources/pressureLooks.ts';
import {withCluster} from '../sources/reading.ts';

/** `what-if --pressure`: which pods kubelets would evict if a given amount were left. */
export async function pressureWhatIf(options: Options, terminal: Terminal): Promise<number> {
	const requests = pressureRequests(options.flags.pressure);
	const names = [...new Set(requests.map(({node}) => node))];
	const isFile = options.filenames.length > 0;
	const {requested, book, problems, now} = await (isFile ? recorded(options, names) : looked(options, names));
	const found = requested.map((node) => {
		const own = requests.filter((one) => one.node === node.name);
		return answerOf(book.evidenceOf(node), own, now, isFile ? notRecorded : notAllowed);
	});
	const text = () => formatPressureWhatIf(found, tableOptions(options, terminal), now);
	const document = () => pressureWhatIfJson(found, problems, now);
	await printAnswer({text, document, problems, now}, options, terminal);
	return 0;
}

type MeasuredNodes = Pick<PressureSeen, 'problems'> & {
	readonly requested: readonly Node[];
	readonly book: PressureStore;
	readonly now: Instant;
};

const looked = ({flags}: Options, names: readonly string[]): Promise<MeasuredNodes> =>
	withCluster(flags, async (cluster) => {
		const {nodes} = await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		const looks = new PressureLooks(cluster);
		const requested = names.map((name) => nodeNamed(name, nodes));
		const {problems} = await looks.look(requested);
		return {requested, book: looks.book, problems, now: cluster.now()};
	});

async function recorded(options: Options, names: readonly string[]): Promise<MeasuredNodes> {
	const {snapshot, kubelets: book, pressure} = await sceneOfFiles(options);
	const requested = names.map((name) => nodeNamed(name, snapshot.nodes));
	return {requested, book, problems: pressure.problems, now: snapshot.observedAt};
}

function nodeNamed(name: string, nodes: readonly Node[]): Node {
	const node = nodes.find((one) => one.name === name);
	if (node) return node;
	throw new UserError(
		`there is no node ${JSON.stringify(name)}`,
		'to list nodes: `kubectl evictwatch nodes`',
	);
}

const notAllowed =
	'ask for a role that may get nodes/proxy (deploy/kubelets.yaml), or one that may read metrics.k8s.io (deploy/metrics.yaml)';
const notRecorded =
	'choose a time at which a recording has it: of nodes that run short, with the right to ask kubelets';

function answerOf(
	evidence: PressureEvidence,
	requests: readonly PressureRequest[],
	now: Instant,
	remedy: string,
): PressureWhatIf {
	const newest = evidence.samples.at(-1);
	if (!newest) {
		throw new UserError(`node ${evidence.node} has no measurements, so its pods cannot be ranked`, remedy);
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
			`${signal} is not measured on node ${node}`,
			`choose one of: ${[...observed.keys()].join(', ')}`,
		);
	}
	if ('amount' in left) return {node, signal, left: left.amount};
	return {node, signal, left: BigInt(Math.round(Number(capacity) * left.share))};
}

/** A supposed amount of a signal: bytes, or a share of the capacity. */
type SupposedAmount = {readonly amount: bigint} | {readonly share: number};

type PressureRequest = {
	readonly node: string;
	readonly signal: Signal;
	readonly left: SupposedAmount;
};

/** Parses `--pressure`: `n1=memory.available=50Mi`, `n1=nodefs.available=3%`. @throws UserError if a value is invalid */
const pressureRequests = (texts: readonly string[]): readonly PressureRequest[] =>
	texts.map((text) => {
		const [, node = '', signal = '', amount = ''] = /^([^=]+)=([^=]+)=([^=]+)$/.exec(text) ?? [];
		if (node === '')
			throw invalidValue('pressure', text, 'want NODE=SIGNAL=AMOUNT, as in n1=memory.available=50Mi');
		if (!isSignal(signal))
			throw invalidValue('pressure', text, `want one of the signals ${signals.join(', ')}`);
		return {node, signal, left: amountIn(text, amount)};
	});

function amountIn(text: string, amount: string): SupposedAmount {
	const share = /^(\d+(?:\.\d+)?)%$/.exec(amount)?.[1];
	if (share !== undefined && Number(share) <= 100) return {share: Number(share) / 100};
	const quantity = share === undefined ? validQuantity(amount) : undefined;
	if (!quantity) throw invalidValue('pressure', text, 'want an amount such as 50Mi, 1000 or 3%');
	const bytes = int64Of(quantity);
	// A cgroup over its limit has less than zero left; as a request it makes no sense.
	if (bytes < 0n) throw invalidValue('pressure', text, 'what is left cannot be less than nothing');
	return {amount: bytes};
}
