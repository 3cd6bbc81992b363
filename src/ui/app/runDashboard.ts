import type {UiEffect} from '../state/facts.ts';
import type {SceneSource} from '../state/scene.ts';
import type {Screenful} from './app.ts';
import {Dashboard, type DashboardOptions} from './dashboard.ts';
import {guarded} from './guard.ts';
import {type RunningScreen, type ScreenTerminal, showScreen} from './runScreen.ts';

/** Told what gives the terminal to others while the dashboard is on it. */
export type OnShown = (lend: RunningScreen['lend']) => void;

/** How the dashboard was left. */
export type DashboardEnd = {readonly exitCode: number; readonly wantsMenu: boolean};

/** Shows the dashboard until it is left, or until the signal. The terminal is as it was then. */
export async function runDashboard(
	options: DashboardOptions,
	terminal: ScreenTerminal,
	signal: AbortSignal,
	onShown: OnShown = () => undefined,
): Promise<DashboardEnd> {
	let running: RunningScreen | undefined;
	let wantsMenu = false;
	let redraw: () => void = () => undefined;
	const dashboard = new Dashboard(options, () => redraw());
	const doEffect = (effect: UiEffect) => {
		switch (effect.type) {
			case 'quit':
				running?.end();
				break;
			case 'menu':
				if (!options.hasMenu) break;
				wantsMenu = true;
				running?.end();
				break;
			case 'suspend':
				running?.stop();
				break;
			case 'redraw':
				running?.redraw();
				break;
			case 'copy':
				running?.tell(clipboard(effect.text));
				break;
			case 'save':
				void save(options.source, dashboard, () => redraw());
				break;
			case 'speed':
			case 'tape':
				break;
		}
	};
	const screen: Screenful = {
		shown: dashboard,
		press: (key, size) => {
			const effect = dashboard.press(key, size);
			if (effect) doEffect(effect);
		},
		subscribe: (listener) => {
			redraw = listener;
			return options.source.subscribe(listener);
		},
		tick: () => tickOf(options.source, terminal),
	};
	running = showScreen(screen, terminal);
	onShown(running.lend);
	const end = running.end;
	const onAbort = () => end();
	signal.addEventListener('abort', onAbort);
	try {
		const {exitCode} = await guarded(running, terminal.isAlternate);
		return {exitCode, wantsMenu};
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Saves what was seen; what came of it stands on the screen. */
async function save({save}: SceneSource, dashboard: Dashboard, redraw: () => void): Promise<void> {
	const tell = (text: string, isError: boolean) => {
		dashboard.tell(text, isError);
		redraw();
	};
	const fail = (error: unknown) => tell(error instanceof Error ? error.message : String(error), true);
	if (!save) return tell('there is nothing to save here: it is a recording already', true);
	await save(fail).then((text) => tell(text, false), fail);
}

/** Puts text on the clipboard of whoever sits at the terminal, over SSH and tmux too (OSC 52). */
const clipboard = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;

/** Until the next whole second of the clock that is shown; a screen reader is not to start again each second. */
function tickOf({now, speed}: SceneSource, {isScreenReader}: ScreenTerminal): number {
	if (isScreenReader) return 20_000;
	if ((speed?.get() ?? 1) > 1) return 250;
	return 1000 - (Math.floor(now()) % 1000) + 5;
}
