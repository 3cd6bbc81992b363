import {drainOf} from '../../src/impact/drain.ts';
import {relatedWantedBy} from '../../src/impact/withAfter.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import {drainJson, formatDrain} from '../../src/print/whatif/drain.ts';
import {connectionOf} from '../args/connection.ts';
import {usageError} from '../args/usageError.ts';
import {printAnswer} from '../output/documentPrinter.ts';
import {isThere, notFound} from '../sources/named.ts';
import {assertPodsRecorded, type Question, saidBlindness} from './names.ts';

/** `what-if --drain`: what `kubectl drain` would do to the pods of nodes. @throws UserError for an unknown node */
export async function drain(names: readonly string[], scene: Question) {
	const {snapshot, forecast, namespace, options} = scene;
	if (options.names.length > 0)
		throw usageError('--drain takes its nodes separated by commas: --drain n1,n2');
	const {flags} = options;
	if (flags.namespace !== undefined || flags.selector || flags.fieldSelector)
		throw usageError('--drain is of all pods of a node: it takes neither -n nor selectors');
	for (const name of names)
		if (!isThere({kind: 'nodes', name}, {...snapshot, namespace}))
			throw notFound({kind: 'nodes', name}, {...snapshot, namespace}, '--drain: ');
	assertPodsRecorded(scene, names);
	const now = snapshot.observedAt;
	const there = new Set(names);
	const pods = forecast.pods.filter(({node}) => there.has(node));
	const related = await scene.related(
		relatedWantedBy(
			pods.map((pod) => ({...pod, verdict: 'Expected'})),
			forecast.nodes,
		),
	);
	const problems = [...forecast.problems, ...related.problems];
	if (await saidBlindness(problems, scene)) return 1;
	const found = drainOf([...there], forecast, related);
	const text = (table: TableOptions) => formatDrain(found, now, table);
	const document = () => drainJson(found, {...forecast, problems}, connectionOf(options));
	await printAnswer({text, document, problems, now}, scene);
	return 0;
}
