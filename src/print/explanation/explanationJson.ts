import type {Explanation} from '../../forecast/explain/explanation.ts';
import type {ExplanationJson, ExplanationListJson} from '../contract/explanation.ts';
import {headJson, type Seen} from '../json/json.ts';
import {fieldsOf} from '../json/jsonOf.ts';

/** A list of explanations, with the metadata of forecast lists. */
export const explanationsJson = (
	explanations: readonly Explanation[],
	forecast: Seen,
): ExplanationListJson => ({
	...headJson('ExplanationList', forecast),
	items: explanations.map(explanationJson),
});

const explanationJson = (explanation: Explanation): ExplanationJson => ({
	kind: 'Explanation',
	...fieldsOf(explanation, 'target', 'verdict', 'summary', 'eviction', 'held'),
	steps: explanation.steps.map((step) => fieldsOf(step, ...ofStep)),
	whyNot: explanation.whyNot.map((reason) => fieldsOf(reason, 'reason', 'effect', ...ofStep)),
	assumptions: explanation.assumptions,
});

const ofStep = ['at', 'what', 'rule', 'evidence'] as const;
