import {systemTimeZone, type TimeZone, utc} from '../../dates/timeZone.ts';
import type {Explanation, Target} from '../../forecast/explain/explanation.ts';
import {isStale} from '../components/header.ts';
import type {UiEffect} from '../state/facts.ts';
import type {Bindings} from '../state/keyTable.ts';
import type {MenuQuestion} from '../state/questions.ts';
import {reduce} from '../state/reduce.ts';
import {RowFinder} from '../state/rowsShown.ts';
import type {Scene, SceneSource, WhatIfAnswer} from '../state/scene.ts';
import {moveTape, type TapeMove} from '../state/tape.ts';
import {firstState, placeOf, screenOf, type UiState} from '../state/uiState.ts';
import type {Capabilities} from '../theme/capabilities.ts';
import {type Glyphs, glyphsOf, toAscii} from '../theme/glyphs.ts';
import {type Line, paint, trimmed} from '../theme/line.ts';
import {type Palette, paletteOf, type ThemeName} from '../theme/palette.ts';
import {drawFrame, type Frame} from '../views/frame.ts';
import {readerLines} from '../views/reader.ts';
import {tables} from '../views/tables.ts';
import type {Size, View} from '../views/view.ts';

export type DashboardOptions = {
	readonly source: SceneSource;
	readonly capabilities: Capabilities;
	readonly bindings: Bindings;
	readonly theme: ThemeName;
	/** Which namespace is shown at first; undefined for all. */
	readonly namespace: string | undefined;
	/** In which times are shown at first; UTC where absent. */
	readonly timeZone?: TimeZone;
	/** Whether there is a menu to go back to. */
	readonly hasMenu: boolean;
	/** Whether the screen is read aloud: it is told then, not drawn. */
	readonly isScreenReader: boolean;
};

/** So much of the time may go into explaining anew what is on the screen. */
const explainShare = 0.05;

/** The dashboard apart from its terminal: keys go in, frames come out. */
export class Dashboard {
	readonly #options: DashboardOptions;
	readonly #finder = new RowFinder();
	readonly #glyphs: Glyphs;
	readonly #palettes = new Map<string, Palette>();
	#state: UiState;
	#explained:
		| {
				readonly target: Target;
				readonly scene: Scene;
				readonly found: Explanation | undefined;
				readonly cost: number;
				readonly at: number;
		  }
		| undefined;

	#answered: {readonly question: MenuQuestion; answer: WhatIfAnswer} | undefined;
	/** The frame that was drawn last, and of what. */
	#drawn: {readonly state: UiState | undefined; readonly size: Size; readonly frame: Frame} = {
		...{state: undefined, size: {columns: 0, rows: 0}},
		frame: {lines: [], page: 1, detailLength: 0},
	};
	readonly #onChange: () => void;

	/** @param onChange is called where what is shown changes though no key was pressed */
	constructor(options: DashboardOptions, onChange: () => void = () => undefined) {
		this.#onChange = onChange;
		this.#options = options;
		this.#glyphs = glyphsOf(options.capabilities.isUnicode);
		this.#state = firstState(options.theme, options.namespace, options.timeZone);
	}

	/** The lines of a screen, with the codes of the terminal in them. */
	frame(size: Size): readonly string[] {
		const view = this.#view(size);
		const frame = drawFrame(view);
		this.#drawn = {state: view.state, size, frame};
		const lines = this.#options.isScreenReader ? readerLines(view) : frame.lines;
		const palette = this.#paletteOf(isStale(view.scene, view.now));
		return lines.map((one) => paint(this.#plain(trimmed(one)), palette));
	}

	/** What a key does: to the state, and outside of it. */
	press(key: string, size: Size): UiEffect | undefined {
		const view = this.#view(size);
		const {page, detailLength} = this.#isDrawn(view) ? this.#drawn.frame : drawFrame(view);
		const {state, effect} = reduce(this.#state, key, {
			...{shown: view.shown, lines: detailLength, page, scene: view.scene, now: view.now},
			...{bindings: this.#options.bindings, hasTape: this.#options.source.tape !== undefined},
			localTimeZone: this.#localTimeZone,
		});
		this.#state = state;
		if (effect?.type === 'speed') this.#changeSpeed(effect.step);
		if (effect?.type === 'tape') this.#moveTape(effect.move);
		return effect;
	}

	/** Whether a key can go by what is on the screen: a page is as long as the one that is seen. */
	#isDrawn({state, size: {columns, rows}}: View): boolean {
		const {state: drawn, size} = this.#drawn;
		return drawn === state && size.columns === columns && size.rows === rows;
	}

	#view(size: Size): View {
		const {source, bindings, hasMenu} = this.#options;
		const {paused} = this.#state;
		const {timeZone} = this.#state;
		const [scene, now] = paused ? [paused.scene, paused.at] : [source.get(), source.now()];
		const screen = screenOf(this.#state);
		const {forecast} = scene;
		const opened = screen.kind === 'detail' ? tables[screen.view].looksAt?.(screen.key) : undefined;
		if (opened !== undefined && !paused) source.lookAt?.(opened);
		const shown =
			screen.kind === 'table' && forecast
				? this.#finder.find({
						...{table: tables[screen.view], context: {scene, forecast, now, timeZone}},
						...{place: placeOf(this.#state), namespace: this.#state.namespace},
					})
				: undefined;
		return {
			...{state: this.#state, scene, now, timeZone, size, glyphs: this.#glyphs, bindings, shown, hasMenu},
			explanation:
				screen.kind === 'detail' && screen.target && !screen.question
					? this.#explain(screen.target, scene)
					: undefined,
			answer:
				screen.kind === 'detail' && screen.target && screen.question
					? this.#answer(screen.target, screen.question)
					: undefined,
			speed: source.speed?.get(),
			...{tape: source.tape?.get(), marks: source.tape?.marks ?? [], canSave: source.save !== undefined},
		};
	}

	/** What is shown in place of UTC: what was asked for, else the zone of the system. */
	get #localTimeZone(): TimeZone {
		const {timeZone = utc} = this.#options;
		return timeZone === utc ? systemTimeZone() : timeZone;
	}

	// An explanation is a forecast of its own: in a large cluster it is made anew only now and then.
	#explain(target: Target, scene: Scene): Explanation | undefined {
		const last = this.#explained;
		const isSame = last !== undefined && last.target === target;
		const at = performance.now();
		if (
			last &&
			isSame &&
			(last.scene === scene || this.#state.paused || at - last.at < last.cost / explainShare)
		)
			return last.found;
		const found = this.#options.source.explain(target);
		this.#explained = {target, scene, found, cost: performance.now() - at, at};
		return found;
	}

	/** Asked once: the answer is of the instant at which it was asked. */
	#answer(target: Target, question: MenuQuestion): readonly string[] {
		const {timeZone} = this.#state;
		if (this.#answered?.question === question) return this.#answered.answer(timeZone);
		const {whatIf} = this.#options.source;
		const said =
			(...lines: readonly string[]): WhatIfAnswer =>
			() =>
				lines;
		const answered = {question, answer: said(whatIf ? 'Working it out…' : 'Nobody here can tell.')};
		this.#answered = answered;
		const show = (answer: WhatIfAnswer) => {
			answered.answer = answer;
			this.#onChange();
		};
		whatIf?.(target, question.kind).then(show, (error: unknown) =>
			show(said(error instanceof Error ? error.message : String(error))),
		);
		return answered.answer(timeZone);
	}

	/** Says something of what was done, until the next key. */
	tell(text: string, isError: boolean): void {
		this.#state = {...this.#state, message: {text, isError}};
	}

	#moveTape(move: TapeMove): void {
		const {tape} = this.#options.source;
		const word = tape && moveTape(tape, move);
		if (word !== undefined) this.tell(word, false);
	}

	#changeSpeed(step: 1 | -1): void {
		const {speed} = this.#options.source;
		const present = speed?.get() ?? 1;
		const next = step > 0 ? speeds.find((one) => one > present) : speeds.findLast((one) => one < present);
		if (next !== undefined) speed?.set(next);
	}

	#paletteOf(stale: boolean): Palette {
		const {theme} = this.#state;
		const key = `${theme}/${stale}`;
		const palette = this.#palettes.get(key) ?? paletteOf(theme, this.#options.capabilities.depth, stale);
		this.#palettes.set(key, palette);
		return palette;
	}

	#plain(line: Line): Line {
		if (this.#options.capabilities.isUnicode) return line;
		return {...line, spans: line.spans.map((span) => ({...span, text: toAscii(span.text)}))};
	}
}

const speeds: readonly number[] = [1, 2, 5, 10, 20, 30, 60];
