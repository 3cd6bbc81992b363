import {escapeForCell} from '../../text/escape.ts';
import type {SceneSource} from '../scene/scene.ts';
import type {UiEffect, UiState} from '../state/uiState.ts';
import {Dashboard, type DashboardOptions} from './dashboard.tsx';
import {guarded} from './guard.ts';
import {type RunningScreen, type ScreenTerminal, showScreen} from './runScreen.tsx';

/** Receives a function that lends the terminal to others while the dashboard is shown. */
export type OnShown = (lend: RunningScreen['lend']) => void;

export type DashboardEnd = {
	readonly exitCode: number;
	/** What was chosen from the menu; undefined if nothing was. */
	readonly chosen: string | undefined;
	/** The state in which it was left for that; undefined if the program ends. */
	readonly left: UiState | undefined;
};

/** Shows the dashboard until it is left or the signal is aborted, then restores the terminal. */
export async function runDashboard(
	options: Omit<DashboardOptions, 'tick' | 'onEffect'>,
	terminal: ScreenTerminal,
	signal: AbortSignal,
	onShown: OnShown = () => undefined,
): Promise<DashboardEnd> {
	let chosen: string | undefined;
	let left: UiState | undefined;
	const tick = () => tickOf(options.source, terminal);
	const onEffect = (effect: UiEffect, state: UiState) => {
		if (effect.type === 'choose') {
			chosen = effect.name;
			left = state;
		}
		if (effect.type === 'choose' || effect.type === 'quit') running.end();
		else if (effect.type === 'suspend') running.stop();
		else if (effect.type === 'redraw') running.redraw();
		else if (effect.type === 'copy') running.tell(clipboard(effect.text));
		else if (effect.type === 'notify') running.tell(desktopNote(effect.text));
	};
	const running = showScreen(
		<Dashboard {...options} tick={tick} onEffect={onEffect} />,
		terminal,
		options.background,
	);
	onShown(running.lend);
	const onAbort = () => running.end();
	signal.addEventListener('abort', onAbort);
	try {
		const exitCode = await guarded(running, terminal.isAlternate);
		return {exitCode, chosen, left};
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** The escape sequence that copies text to the user's clipboard, even over SSH and tmux (OSC 52). */
const clipboard = (text: string) => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;

/** A bell, and a desktop notification for terminals that support either sequence (OSC 9, OSC 777). */
const desktopNote = (raw: string): string => {
	const text = escapeForCell(raw).replaceAll(';', ',');
	return `\x07\x1b]9;${text}\x07\x1b]777;notify;evictwatch;${text}\x07`;
};

/** The time until the next whole second of the displayed clock; longer for a screen reader, which must not restart each second. */
function tickOf({now, speed}: SceneSource, {isScreenReader}: ScreenTerminal): number {
	if (isScreenReader) return 20_000;
	if ((speed?.get() ?? 1) > 1) return 250;
	return 1000 - (Math.floor(now()) % 1000) + 5;
}
