import {stripVTControlCharacters} from 'node:util';
import {renderToString} from 'ink';
import {createElement} from 'react';
import {pressed} from '../../../src/ui/app/dashboard.tsx';
import {RowFinder, type ScreenContext, viewOf} from '../../../src/ui/app/viewOf.ts';
import {ScreenFrame} from '../../../src/ui/components/screenFrame.tsx';
import type {Size} from '../../../src/ui/components/view.ts';
import type {SceneSource} from '../../../src/ui/scene/scene.ts';
import {firstState, type UiEffect, type UiState} from '../../../src/ui/state/uiState.ts';
import {glyphsOf} from '../../../src/ui/theme/glyphs.ts';
import type {AnyTable} from '../../../src/ui/views/table.ts';

/** The state and the screen of a dashboard without a terminal: it takes names of keys, and returns lines. */
export class PressedDashboard {
	readonly #source: SceneSource;
	readonly #finder = new RowFinder();
	#state: UiState = firstState('dark', undefined);
	readonly #menu: AnyTable | undefined;

	constructor(source: SceneSource, {menu}: {readonly menu?: AnyTable} = {}) {
		this.#source = source;
		this.#menu = menu;
	}

	get state(): UiState {
		return this.#state;
	}

	/** @returns the effects of the keys outside the dashboard */
	press(keys: readonly string[], size: Size): readonly UiEffect[] {
		for (const key of keys) this.#state = pressed(this.#state, key, this.#world(size));
		const {effects} = this.#state;
		this.#state = {...this.#state, effects: []};
		return effects;
	}

	frame(size: Size): readonly string[] {
		const view = viewOf(this.#state, this.#world(size));
		const text = renderToString(createElement(ScreenFrame, {view}), {columns: size.columns});
		return stripVTControlCharacters(text).split('\n');
	}

	#world(size: Size): ScreenContext {
		return {
			...{source: this.#source, finder: this.#finder, size, glyphs: glyphsOf(true), menu: this.#menu},
			...{localTimeZone: () => 'UTC', explanation: undefined, answer: undefined},
		};
	}
}
