import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import {whatIfWithPressure} from '../../src/forecast/whatif/pressedWhatIf.ts';
import {whatIfImpact} from '../../src/impact/whatIfImpact.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import {formatWhatIf} from '../../src/print/whatif/whatIf.ts';
import {whatIfJson} from '../../src/print/whatif/whatIfJson.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Terminal} from '../output/terminal.ts';
import {pressureWhatIf} from '../pressure/pressureWhatIf.ts';
import {type AskedScene, withScene} from '../sources/scene.ts';
import {printAnswer} from './answer.ts';
import {type ChangeRequest, changeRequests} from './changeRequests.ts';
import {changesOf} from './changes.ts';
import {howManyMore} from './howManyMore.ts';
import {rescuePods} from './rescue.ts';

/** The command `what-if`. */
export async function whatIf(options: Options, terminal: Terminal): Promise<number> {
	const {flags, names} = options;
	if (names.length > 0)
		throw usageError(`"${names[0]}" is not understood: what is supposed is said with flags`);
	const requests = changeRequests(flags, options.timeZone);
	const questions = [
		requests.length > 0,
		flags.howManyMore,
		flags.buyTime !== undefined,
		flags.pressure.length > 0,
	];
	const asked = questions.filter((one) => one).length;
	if (asked === 0) throw usageError('what if what? Say for example --node-down NODE, or --how-many-more');
	if (asked > 1) throw usageError('--how-many-more, --buy-time and --pressure stand alone');
	if (flags.pressure.length > 0) return pressureWhatIf(options, terminal);
	const pod = flags.buyTime;
	if (pod !== undefined) return rescuePods([pod], options, terminal);
	return withScene(options, whatIfSelection(requests), (scene) =>
		flags.howManyMore ? howManyMore(scene, options, terminal) : answer(scene, options, terminal),
	);
}

const podsPartial: Problem = {
	reason: 'PodsPartial',
	message:
		'the recording holds the pods of nodes that were in trouble, and no others: what a change does to those is not in the answer; record --all holds every pod',
};

/** Answers one scene. */
export async function answer(
	{snapshot, forecaster, forecast, namespace, isPartial, related: read, pressure}: AskedScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const now = snapshot.observedAt;
	const changes = changesOf(changeRequests(options.flags, options.timeZone), {...snapshot, now, namespace});
	const pressed = await pressure();
	const found = whatIfWithPressure(forecaster.whatIf(changes, now), pressed.forecasts, forecast);
	const touched = found.pods.map(({before, after}) => (after.verdict === 'Safe' ? before : after));
	const related = await read(relatedWanted({pods: [...forecast.pods, ...touched], nodes: forecast.nodes}));
	const impact = whatIfImpact(withPressure(forecast, pressed.forecasts), found, related);
	const partial = isPartial ? [podsPartial] : [];
	const problems = [...partial, ...forecast.problems, ...related.problems, ...pressed.problems];
	const text = () => formatWhatIf(found, impact, options.timeZone);
	const document = () => whatIfJson(found, impact, {...forecast, problems});
	await printAnswer({text, document, problems, now}, options, terminal);
	return 0;
}

/** What is read to answer: what is in trouble, and what is to be changed. */
function whatIfSelection(requests: readonly ChangeRequest[]): Selection {
	const zones = requests.flatMap((one) => ('zone' in one ? one.zone : []));
	const nodes = requests.flatMap((one) => ('node' in one ? one.node : []));
	const names = requests.flatMap((one) => ('pod' in one ? (one.pod.split('/').at(-1) ?? []) : []));
	const pods = names.length > 0 ? {named: {namespace: undefined, names}} : {};
	return {pods: {type: 'chosen', chooser: new PodChooser({nodes, zones}), ...pods}};
}
