import {questionsOf} from '../scene/questions.ts';
import {placeOf, type Screen} from '../state/uiState.ts';
import {type Line, line, span} from '../theme/line.ts';
import type {View} from './view.ts';

/** The menu of questions about a row, with the cursor on one of them. */
export function choiceLines(
	{scene, state, glyphs}: View,
	{target}: Extract<Screen, {kind: 'choice'}>,
): readonly Line[] {
	const questions = scene.forecast ? questionsOf(target, scene.forecast) : [];
	const at = Math.min(placeOf(state).index, questions.length - 1);
	return questions.map(({title}, index) => ({
		...line(
			span(` ${index === at ? glyphs.cursor : ' '} `, 'key'),
			span(scene.forecast?.digest.names.shorten(title) ?? title, index === at ? 'title' : 'strong'),
		),
		isSelected: index === at,
	}));
}
