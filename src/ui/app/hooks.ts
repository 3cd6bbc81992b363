import {useInput, useStdin, useStdout} from 'ink';
import {useEffect, useReducer, useRef, useState} from 'react';
import {podKey} from '../../core/model/pod.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import type {Explanation, Target} from '../../forecast/explain/explanation.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {itemJson} from '../../print/json/json.ts';
import {jsonOf} from '../../print/json/jsonOf.ts';
import {nodes} from '../../print/tables/nodeKind.ts';
import {pods} from '../../print/tables/podKind.ts';
import {zones} from '../../print/tables/zoneKind.ts';
import {messageOf} from '../../text/userError.ts';
import {type MenuQuestion, ofTarget, type Subject} from '../scene/questions.ts';
import {riskWords} from '../scene/risks.ts';
import type {Scene, SceneSource, WhatIfAnswer} from '../scene/scene.ts';
import {keyNames} from '../state/keyName.ts';
import type {UiEffect} from '../state/uiState.ts';
import type {Background} from './background.ts';

/** Redraws each time the displayed clock advances, or by the function returned. @param tick how long until then, in milliseconds */
export function useClock(tick: () => number): () => void {
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
	return redraw;
}

/**
 * Calls back with each key. The terminal is asked for its background only after the first screen, so that nothing waits for the
 * answer.
 *
 * @param onLight called if the background is light; undefined if the theme does not depend on it
 */
export function useKeys(
	onKey: (name: string) => void,
	background: Background,
	onLight: (() => void) | undefined,
) {
	const {stdout} = useStdout();
	const {stdin} = useStdin();
	const asksForBackground = onLight !== undefined;
	useInput((input, key) => {
		const before = background.theme;
		const keys = background.take(input, key);
		if (before === 'dark' && background.theme === 'light') onLight?.();
		if (keys !== undefined) for (const name of keyNames(keys, key)) onKey(name);
	});
	// After that of `useInput`, which sets the raw mode: otherwise the terminal would also draw the answer.
	useEffect(
		() => (asksForBackground ? background.ask(stdout, stdin) : undefined),
		[asksForBackground, background, stdout, stdin],
	);
}

/** The share of the time that may be spent on updating the explanation on the screen. */
const explainShare = 0.05;

type Explained = Readonly<{
	target: Target;
	scene: Scene;
	found: Explanation | undefined;
	cost: number;
	at: number;
}>;

/**
 * The explanation of a target. It takes a forecast of its own, so in a large cluster it is updated less often. It exists only
 * for the present: a paused screen shows one only if it was made before.
 */
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
	if (isPaused) return undefined;
	const found = source.explain(target);
	known.current = {target, scene, found, cost: performance.now() - at, at};
	return found;
}

const fixedAnswer =
	(...lines: readonly string[]): WhatIfAnswer =>
	() =>
		lines;

function ask(
	source: SceneSource,
	target: Subject,
	{kind}: MenuQuestion,
	{forecast}: Scene,
): Promise<WhatIfAnswer> | undefined {
	if (kind !== 'yaml') return source.whatIf?.(target, kind);
	const gone = [`There is no ${target.kind} ${target.name} any more.`];
	return Promise.resolve(forecast && target.kind !== 'workload' && forecastYaml(target, forecast)).then(
		(lines) => fixedAnswer(...(lines || gone)),
	);
}

/**
 * The answer to a question. It is asked once, so the answer is about that instant.
 *
 * @param scene the scene on the screen
 */
export function useAnswer(
	source: SceneSource,
	target: Subject | undefined,
	question: MenuQuestion | undefined,
	scene: Scene,
): WhatIfAnswer | undefined {
	const shown = useRef(scene);
	shown.current = scene;
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
		ask(source, target, question, shown.current)?.then(show, (error: unknown) =>
			show(fixedAnswer(messageOf(error))),
		);
		return () => {
			isWanted = false;
		};
	}, [source, target, question]);
	if (!target || !question) return undefined;
	if (answered?.question === question) return answered.answer;
	return fixedAnswer(source.whatIf || question.kind === 'yaml' ? 'Working it out…' : 'Nobody here can tell.');
}

/** How long before a workload reaches zero the user is notified. */
const noteBefore: Duration = 2 * minute;

/** Notifies once about each workload that is about to reach zero; does nothing without a scene. */
export function useNotes(scene: Scene | undefined, now: Instant, onEffect: (effect: UiEffect) => void) {
	const notified = useRef(new Set<string>());
	useEffect(() => {
		const soon = (scene?.impacts?.risks ?? []).filter(
			({kind, at}) => kind === 'Zero' && at !== null && at.expected - now < noteBefore,
		);
		for (const risk of soon) {
			const name = podKey(risk);
			if (notified.current.has(name)) continue;
			notified.current.add(name);
			onEffect({type: 'notify', text: riskWords(risk, now)});
		}
	}, [scene, now, onEffect]);
}

/** The forecast of a target as YAML, as with `-o yaml`; undefined if nothing has its name. Loads the YAML library first. */
async function forecastYaml(target: Target, forecast: Forecast): Promise<readonly string[] | undefined> {
	const item: unknown = ofTarget<unknown>(target, forecast, {
		pod: (pod) => itemJson(pods, pod),
		node: (node) => itemJson(nodes, node),
		zone: (zone) => itemJson(zones, zone),
	});
	if (item === undefined) return undefined;
	const {formatYaml} = await import('../../print/json/yaml.ts');
	return formatYaml(jsonOf(item)).trimEnd().split('\n');
}
