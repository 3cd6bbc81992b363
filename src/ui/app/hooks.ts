import {useEffect, useReducer, useRef, useState} from 'react';
import type {Explanation, Target} from '../../forecast/explain/explanation.ts';
import type {MenuQuestion} from '../state/questions.ts';
import type {Scene, SceneSource, WhatIfAnswer} from '../state/scene.ts';

/** Draws anew each time that the clock on the screen moves on. @param tick how long until then, in milliseconds */
export function useClock(tick: () => number): void {
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	useEffect(() => {
		let timer: NodeJS.Timeout;
		const wait = () => {
			timer = setTimeout(() => {
				redraw();
				wait();
			}, tick());
		};
		wait();
		return () => clearTimeout(timer);
	}, [tick]);
}

/** The share of the time that may go into explaining anew what is on the screen. */
const explainShare = 0.05;

type Explained = {
	readonly target: Target;
	readonly scene: Scene;
	readonly found: Explanation | undefined;
	readonly cost: number;
	readonly at: number;
};

/** The explanation of a target. It is a forecast of its own: in a large cluster it is made anew only now and then. */
export function useExplanation(
	source: SceneSource,
	target: Target | undefined,
	scene: Scene,
	isPaused: boolean,
): Explanation | undefined {
	const known = useRef<Explained>(undefined);
	if (!target) return undefined;
	const last = known.current;
	const at = performance.now();
	const isFresh =
		last?.target === target && (last.scene === scene || isPaused || at - last.at < last.cost / explainShare);
	if (last && isFresh) return last.found;
	const found = source.explain(target);
	known.current = {target, scene, found, cost: performance.now() - at, at};
	return found;
}

const said =
	(...lines: readonly string[]): WhatIfAnswer =>
	() =>
		lines;

/** What would follow of a question. It is asked once: the answer is of the instant at which it was asked. */
export function useAnswer(
	{whatIf}: SceneSource,
	target: Target | undefined,
	question: MenuQuestion | undefined,
): WhatIfAnswer | undefined {
	const [answered, setAnswered] = useState<{
		readonly question: MenuQuestion;
		readonly answer: WhatIfAnswer;
	}>();
	useEffect(() => {
		if (!target || !question) return undefined;
		let isWanted = true;
		const show = (answer: WhatIfAnswer) => {
			if (isWanted) setAnswered({question, answer});
		};
		whatIf?.(target, question.kind).then(show, (error: unknown) =>
			show(said(error instanceof Error ? error.message : String(error))),
		);
		return () => {
			isWanted = false;
		};
	}, [whatIf, target, question]);
	if (!target || !question) return undefined;
	if (answered?.question === question) return answered.answer;
	return said(whatIf ? 'Working it out…' : 'Nobody here can tell.');
}
