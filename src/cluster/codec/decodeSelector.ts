import type {LabelSelector, Requirement} from '../../core/model/workloads/related.ts';
import {listOf, objectOf, textsOf} from './objectOf.ts';
import {textMapOf, textOf} from './rawJson.ts';

/** Reads one condition on labels. */
export const decodeRequirement = objectOf<Omit<Requirement, 'isField'>>({
	...{key: textOf, operator: textOf, values: textsOf},
});

/** Reads a selector of labels; what is no condition is none. */
export const decodeSelector = objectOf<LabelSelector>({
	matchLabels: textMapOf,
	matchExpressions: listOf(decodeRequirement),
});
