import {formatTimestamp} from '../../dates/utc.ts';
import type {Explanation, Step} from '../../forecast/explain/explanation.ts';
import type {When} from '../../forecast/words.ts';
import type {ExplanationJson, ExplanationListJson} from '../contract/explanation.ts';
import {apiVersion, metadataJson} from '../json/json.ts';
import {optionalRangeJson, rangeJson} from '../json/rangeJson.ts';
import {heldJson} from '../tables/podKind.ts';

/** A list of explanations, with the metadata of forecast lists. */
export const explanationsJson = (
	explanations: readonly Explanation[],
	forecast: Parameters<typeof metadataJson>[0],
): ExplanationListJson => ({
	apiVersion,
	kind: 'ExplanationList',
	metadata: metadataJson(forecast),
	items: explanations.map(explanationJson),
});

function explanationJson({
	target,
	verdict,
	summary,
	eviction,
	held,
	steps,
	whyNot,
	assumptions,
}: Explanation): ExplanationJson {
	return {
		kind: 'Explanation',
		target,
		verdict,
		summary,
		eviction: optionalRangeJson(eviction),
		held: held && heldJson(held),
		steps: steps.map(stepJson),
		whyNot: whyNot.map(({reason, effect, ...step}) => ({reason, effect, ...stepJson(step)})),
		assumptions,
	};
}

const stepJson = ({at, what, rule, evidence}: Step) => ({at: whenJson(at), what, rule, evidence});

/** An instant becomes a string, a range an object. */
const whenJson = (at: When) =>
	at === null ? null : typeof at === 'number' ? formatTimestamp(at) : rangeJson(at);
