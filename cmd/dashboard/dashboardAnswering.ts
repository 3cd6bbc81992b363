import type {Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {type Connection, pasted, usualConnection} from '../../src/text/pasted.ts';
import {shellWord} from '../../src/text/shellWord.ts';
import type {WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import {nodesMeant, type QuestionKind} from '../../src/ui/state/questions.ts';
import type {Questions} from '../sources/questions.ts';
import type {RelatedReader} from '../sources/relatedReader.ts';
import type {LiveParts} from './dashboardSource.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';

/** Who answers, and what is read for it. */
type Answerers = {
	readonly questions: Questions;
	readonly related: RelatedReader;
	readonly forecaster: Forecaster;
};

/** Why not every pod is known; undefined where all are. */
export type Unread = 'left out' | 'being read' | undefined;

/** Answers what is asked of a row: reads what belongs to its pods and those in trouble, then plays it in pauses. */
export const answering =
	(
		{questions, related, forecaster}: Answerers,
		connection: Connection = usualConnection,
		whyUnread: () => Unread = () => undefined,
	) =>
	async (
		...[target, question, now, forecast]: Parameters<NonNullable<LiveParts['whatIf']>>
	): Promise<WhatIfAnswer> => {
		const flag = flagsOf[question];
		const why = whyUnread();
		if (why === 'being read' && flag)
			return () => ['Not known yet: the pods are still being read. Ask again once all are.'];
		if (why === 'left out' && flag && forecast && nodesMeant(target, forecast).some(hasUnreadPods))
			return () => notRead(flag, target, forecast, connection);
		const known = await related.about({pods: podsFor(target, forecast), nodes: forecast?.nodes ?? []});
		const beside = {related: known, pressure: forecast?.pressure ?? [], connection};
		return questions.ask(() => dashboardAnswer(target, question, forecaster, now, beside));
	};

/** The flags of `what-if` for questions whose answer is about all pods of a node. */
const flagsOf: Readonly<Partial<Record<QuestionKind, string>>> = {
	...{down: 'node-down', outOfService: 'out-of-service', delete: 'delete-node'},
};

/** Only the pods of nodes in trouble are read here. */
const hasUnreadPods = ({verdict, taints}: NodeForecast): boolean =>
	verdict === 'Healthy' && taints.length === 0;

/** What is said in place of numbers that would leave out the pods that are not read. */
function notRead(
	flag: string,
	target: Target,
	forecast: Forecast,
	connection: Connection,
): readonly string[] {
	const command =
		target.kind === 'zone'
			? `--zone-down ${shellWord(target.name)}`
			: nodesMeant(target, forecast)
					.map(({name}) => `--${flag} ${shellWord(name)}`)
					.join(' ');
	return [
		'Not known here: the pods of healthy nodes are not read, so this cannot say which would be evicted.',
		'Ask:',
		`  ${pasted(`kubectl evictwatch what-if ${command}`, connection)}`,
		'Or start the dashboard with --all, which reads every pod.',
	];
}

const podsFor = ({kind, name}: Target, forecast: Forecast | undefined): readonly PodForecast[] =>
	(forecast?.pods ?? []).filter(
		({verdict, node, zone}) =>
			verdict !== 'Safe' || (kind === 'node' && node === name) || (kind === 'zone' && zone === name),
	);
