import {firstState, resumed, type UiState} from './uiState.ts';

/** How the screens of several clusters were left: each reappears so. */
export class LeftScreens {
	readonly #left = new Map<string, UiState>();
	#last: UiState | undefined;

	get last(): UiState | undefined {
		return this.#last;
	}

	/** @param state undefined if not the user left it: then it reappears as it was left before */
	leave(name: string, state: UiState | undefined): void {
		if (!state) return;
		this.#left.set(name, state);
		this.#last = state;
	}

	/** The state in which a screen appears, if one was left. @param namespace for a screen not left yet; undefined for all */
	stateOf(name: string, namespace: string | undefined): UiState | undefined {
		const last = this.#last;
		if (!last) return undefined;
		return resumed(this.#left.get(name) ?? firstState(last.theme, namespace, last.timeZone), last);
	}
}
