import type {LabelSelector, Requirement} from '../../core/model/workloads/related.ts';
import {listOf, objectOf, textsOf} from './objectOf.ts';
import {textMapOf, textOf} from './rawJson.ts';

export const decodeRequirement = objectOf<Omit<Requirement, 'isField'>>({
	key: textOf,
	operator: textOf,
	values: textsOf,
});

/** Decodes a label selector; invalid parts are empty. */
export const decodeSelector = objectOf<LabelSelector>({
	matchLabels: textMapOf,
	matchExpressions: listOf(decodeRequirement),
});
