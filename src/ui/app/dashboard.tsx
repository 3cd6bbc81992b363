import {useIsScreenReaderEnabled, useWindowSize} from 'ink';
import {type ReactNode, useEffect, useMemo, useState, useSyncExternalStore} from 'react';
import {systemTimeZone, type TimeZone, utc} from '../../dates/timeZone.ts';
import {messageOf} from '../../text/userError.ts';
import {answerWidth} from '../components/answerLines.ts';
import {isStale} from '../components/header.ts';
import {Lines, Paint, painterOf} from '../components/lines.tsx';
import {planOf} from '../components/plan.ts';
import {readerLines} from '../components/reader.ts';
import {ScreenFrame} from '../components/screenFrame.tsx';
import type {Size} from '../components/view.ts';
import {presentOf, type SceneSource} from '../scene/scene.ts';
import {moveTape} from '../scene/tape.ts';
import {reduce} from '../state/reduce.ts';
import {firstState, screenOf, showMessage, type UiEffect, type UiState} from '../state/uiState.ts';
import type {Capabilities} from '../theme/capabilities.ts';
import {glyphsOf} from '../theme/glyphs.ts';
import type {ThemeName} from '../theme/palette.ts';
import type {AnyTable} from '../views/table.ts';
import {tables} from '../views/tables.ts';
import type {Background} from './background.ts';
import {useAnswer, useClock, useExplanation, useKeys, useNotes} from './hooks.ts';
import {RowFinder, type ScreenContext, viewOf} from './viewOf.ts';

export type DashboardOptions = Readonly<{
	source: SceneSource;
	capabilities: Capabilities;
	/** Undefined for one that suits the terminal's background. */
	theme: ThemeName | undefined;
	background: Background;
	/** The namespace that is shown first; undefined for all. */
	namespace: string | undefined;
	/** The state in which it was left; undefined if it was not shown before. */
	left?: UiState | undefined;
	/** The time zone that is used first; UTC if absent. */
	timeZone?: TimeZone;
	/** Whether it notifies the user about workloads that are about to reach zero. */
	notify?: boolean;
	/** What else can be shown; undefined if there is nothing else. */
	menu: AnyTable | undefined;
	/** How long a frame may stay on the screen, in milliseconds. */
	tick: () => number;
	/** Performs effects outside the dashboard: leave, suspend, copy. */
	onEffect: (effect: UiEffect, state: UiState) => void;
}>;

/** The part of a terminal that is drawn on: a terminal may say any size, and each cell takes memory and time. */
const drawnSize = ({columns, rows}: Size) => ({columns: Math.min(columns, 500), rows: Math.min(rows, 200)});

/** The whole dashboard: it takes keys, the clock and scenes, and renders a screen. */
export function Dashboard(options: DashboardOptions): ReactNode {
	const {source, background, capabilities, tick, onEffect, menu} = options;
	const size = drawnSize(useWindowSize());
	useSyncExternalStore(source.subscribe, source.get);
	useClock(tick);
	const [state, setState] = useState(() => beginningOf(options));
	const finder = useMemo(() => new RowFinder(), []);
	const screen = screenOf(state);
	const opened = screen.kind === 'detail' ? screen : undefined;
	const {scene, at: now} = presentOf(source, state.paused);
	const explanation = useExplanation(
		source,
		opened?.question || opened?.target?.kind === 'workload' ? undefined : opened?.target,
		scene,
		state.paused !== undefined,
	);
	const answer = useAnswer(source, opened?.target, opened?.question, scene);
	const world: ScreenContext = {
		source,
		finder,
		size,
		explanation,
		menu,
		answer: answer?.(state.timeZone, now, answerWidth(size.columns)),
		glyphs: glyphsOf(capabilities.isUnicode),
		// Found only where it is asked for, as that takes milliseconds.
		localTimeZone: () => localTimeZone(options.timeZone),
	};
	const node = opened && tables[opened.view].looksAt?.(opened.key);
	useEffect(() => {
		if (node !== undefined && !state.paused) source.lookAt?.(node);
	});
	useKeys(
		(key) => setState((before) => pressed(before, key, world)),
		background,
		options.theme || state.isThemeChosen ? undefined : () => setState(inLight),
	);
	useEffect(() => {
		if (state.effects.length === 0) return;
		const tell: Tell = (text, isError) =>
			text !== undefined && setState((before) => showMessage(before, text, isError));
		for (const effect of state.effects) if (!doHere(effect, source, tell)) onEffect(effect, state);
		setState(({effects, ...before}) => ({
			...before,
			effects: effects.filter((effect) => !state.effects.includes(effect)),
		}));
	}, [state, source, onEffect]);
	useNotes(options.notify ? source.get() : undefined, source.now(), (effect) => onEffect(effect, state));
	const view = viewOf(state, world);
	const {theme} = state;
	const isDim = isStale(scene, now);
	const paint = useMemo(() => painterOf(theme, capabilities, isDim), [theme, capabilities, isDim]);
	const isRead = useIsScreenReaderEnabled();
	return (
		<Paint value={paint}>
			{isRead ? (
				<Lines lines={readerLines(view)} width={Number.POSITIVE_INFINITY} />
			) : (
				<ScreenFrame view={view} />
			)}
		</Paint>
	);
}

function beginningOf({left, theme, background, namespace, timeZone}: DashboardOptions): UiState {
	const suited = theme ?? background.theme;
	if (!left) return firstState(suited, namespace, timeZone);
	return left.isThemeChosen ? left : {...left, theme: suited};
}

/** The alternative to UTC: the requested zone, or else the system's. */
const localTimeZone = (timeZone: TimeZone = utc) => (timeZone === utc ? systemTimeZone() : timeZone);

const inLight = (state: UiState): UiState => (state.isThemeChosen ? state : {...state, theme: 'light'});

/** Shows a message, if there is one, until the next key. */
type Tell = (text: string | undefined, isError?: boolean) => void;

/** Performs an effect that concerns the source; returns whether it did. */
function doHere(effect: UiEffect, source: SceneSource, tell: Tell): boolean {
	switch (effect.type) {
		case 'speed':
			tell(changeSpeed(source, effect.step));
			return true;
		case 'tape':
			tell(source.tape && moveTape(source.tape, effect.move));
			return true;
		case 'save':
			void save(source, tell);
			return true;
		default:
			return false;
	}
}

const speeds: readonly number[] = [1, 2, 5, 10, 20, 30, 60];

/** Makes time run faster or slower; returns the reason if it cannot. */
function changeSpeed({speed}: SceneSource, step: 1 | -1): string | undefined {
	if (!speed) return 'not here: the time of a cluster passes by itself';
	const present = speed.get();
	const next = step > 0 ? speeds.find((one) => one > present) : speeds.findLast((one) => one < present);
	if (next === undefined) return `time passes no ${step > 0 ? 'faster' : 'slower'} than ${present}x`;
	speed.set(next);
	return undefined;
}

async function save({save}: SceneSource, tell: Tell): Promise<void> {
	const fail = (error: unknown) => tell(messageOf(error), true);
	if (!save) return tell('there is nothing to save here: it is a recording already', true);
	await save(fail).then(tell, fail);
}

/** The state after a key. */
export function pressed(state: UiState, key: string, world: ScreenContext): UiState {
	const view = viewOf(state, world);
	const {page, detailLength} = planOf(view);
	const {state: next, effect} = reduce(state, key, {
		...view,
		lines: detailLength,
		page,
		scene: presentOf(world.source, state.paused).scene,
	});
	return effect ? {...next, effects: [...next.effects, effect]} : next;
}
