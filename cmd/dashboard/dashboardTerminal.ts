import {systemClock} from '../../src/live/clock.ts';
import {Background} from '../../src/ui/app/background.ts';
import type {OnShown, runDashboard} from '../../src/ui/app/runDashboard.tsx';
import type {ScreenTerminal} from '../../src/ui/app/runScreen.tsx';
import type {Scene, SceneSource} from '../../src/ui/scene/scene.ts';
import {defaultConfig} from '../../src/ui/state/config.ts';
import {firstState, menuAlone, type UiState} from '../../src/ui/state/uiState.ts';
import {capabilitiesOf} from '../../src/ui/theme/capabilities.ts';
import type {AnyTable} from '../../src/ui/views/table.ts';
import type {Options} from '../args/options.ts';

// The variable is ink's.
const isScreenReader = () => process.env['INK_SCREEN_READER'] === 'true';

type Appearance = ReturnType<typeof lookOf>;
type DashboardProps = Parameters<typeof runDashboard>[0];

/** The screen of a command: a dashboard, or the menu alone. @param onShown told who draws on the terminal */
export function commandScreen(options: Options, onShown?: OnShown) {
	const look = lookOf(options);
	const terminal: ScreenTerminal = {
		stdin: process.stdin,
		stdout: process.stdout,
		isAlternate: !options.flags.noAltScreen,
		isScreenReader: isScreenReader(),
	};
	const show = async (shown: Omit<DashboardProps, keyof Appearance>, signal: AbortSignal) => {
		// Loaded while the first requests are under way.
		const {runDashboard} = await import('../../src/ui/app/runDashboard.tsx');
		return runDashboard({...look, ...shown}, terminal, signal, onShown);
	};
	return {
		/** Shows a dashboard until it is left, or until the signal. */
		show,
		/** Shows only a menu. @param why empty if nothing failed before @param last the state of the dashboard before */
		choose: (menu: AnyTable, why: string, last: UiState | undefined) =>
			show(
				{
					source: nothingShown,
					namespace: undefined,
					menu,
					left: menuAlone(why, last ?? firstState('dark', undefined, look.timeZone)),
				},
				new AbortController().signal,
			),
	};
}

const nothing: Scene = {
	title: '',
	forecast: undefined,
	link: {state: 'none'},
	heardAt: undefined,
	settings: [],
	happenings: [],
	falseAlarms: 0,
	gaps: [],
};

const nothingShown: SceneSource = {
	get: () => nothing,
	subscribe: () => () => undefined,
	now: systemClock.now,
	explain: () => undefined,
};

export type CommandScreen = ReturnType<typeof commandScreen>;

/** The same for every dashboard: what the terminal can show, and the user's configuration. */
function lookOf({flags, timeZone, config}: Options) {
	const {notify, theme} = config ?? defaultConfig;
	const capabilities = capabilitiesOf(process.env, process.platform);
	const isColored = capabilities.depth > 1 && !isScreenReader();
	return {
		capabilities,
		notify,
		timeZone,
		theme: flags.theme ?? theme ?? (isColored ? undefined : ('dark' as const)),
		background: new Background(),
		isScreenReader: isScreenReader(),
	};
}
