import {entriesOf, fieldsOf} from '../../cluster/codec/rawJson.ts';
import type {Problem} from '../../core/model/problem.ts';

/** The problems that a line names. */
export const problemsOf = (value: unknown): readonly Problem[] =>
	entriesOf(value).flatMap((entry) => {
		const {reason, message} = fieldsOf<Problem>(entry);
		return typeof reason === 'string' && typeof message === 'string' ? [{reason, message}] : [];
	});
