import type {V1LabelSelectorRequirement, V1NodeSelector, V1NodeSelectorTerm} from '@kubernetes/client-node';
import type {NodeTerms, Requirement} from '../../../core/model/workloads/related.ts';
import {entriesOf, fieldsOf, textOf} from '../rawJson.ts';

/** Reads which nodes are meant, of a pod's affinity or a volume's; undefined where it asks nothing. */
export function decodeNodeTerms(value: unknown): NodeTerms | undefined {
	if (value === undefined || value === null) return undefined;
	return entriesOf(fieldsOf<V1NodeSelector>(value).nodeSelectorTerms).map((entry) => {
		const {matchExpressions, matchFields} = fieldsOf<V1NodeSelectorTerm>(entry);
		return [
			...entriesOf(matchExpressions).map(decodeRequirement),
			...entriesOf(matchFields).map((one): Requirement => ({...decodeRequirement(one), isField: true})),
		];
	});
}

/** Reads one condition on labels. */
export function decodeRequirement(value: unknown): Requirement {
	const {key, operator, values} = fieldsOf<V1LabelSelectorRequirement>(value);
	return {key: textOf(key), operator: textOf(operator), values: entriesOf(values).map(textOf)};
}
