import type {Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import type {Questions} from '../sources/questions.ts';
import type {RelatedReader} from '../sources/relatedReader.ts';
import type {LiveParts} from './dashboardSource.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';

/** Answers what is asked of a row: reads what belongs to its pods and those in trouble, then plays it in pauses. */
export const answering =
	(questions: Questions, related: RelatedReader, forecaster: Forecaster, isPartial = false) =>
	async (
		...[target, question, now, forecast]: Parameters<NonNullable<LiveParts['whatIf']>>
	): Promise<WhatIfAnswer> => {
		const known = await related.about({pods: podsFor(target, forecast), nodes: forecast?.nodes ?? []});
		const beside = {related: known, pressure: forecast?.pressure ?? []};
		const answer = await questions.ask(() => dashboardAnswer(target, question, forecaster, now, beside));
		return isPartial && question === 'down' ? (...shown) => [...answer(...shown), '', onlyTroubled] : answer;
	};

/** Of a node that is well, no pods are known here. */
const onlyTroubled =
	'Only the pods of nodes in trouble are read here; kubectl evictwatch what-if --node-down, or the dashboard with --all, tells of all.';

const podsFor = ({kind, name}: Target, forecast: Forecast | undefined): readonly PodForecast[] =>
	(forecast?.pods ?? []).filter(
		({verdict, node, zone}) =>
			verdict !== 'Safe' || (kind === 'node' && node === name) || (kind === 'zone' && zone === name),
	);
