import {Background} from '../../src/ui/app/background.ts';
import type {chooseFrom} from '../../src/ui/app/chooseFrom.tsx';
import type {OnShown, runDashboard} from '../../src/ui/app/runDashboard.tsx';
import type {ScreenTerminal} from '../../src/ui/app/runScreen.tsx';
import {defaultConfig} from '../../src/ui/state/config.ts';
import type {UiState} from '../../src/ui/state/uiState.ts';
import {capabilitiesOf} from '../../src/ui/theme/capabilities.ts';
import type {Options} from '../args/options.ts';

// The variable is ink's.
const isScreenReader = () => process.env['INK_SCREEN_READER'] === 'true';

type Appearance = ReturnType<typeof lookOf>;
type Menu = Parameters<typeof chooseFrom>[0];
type DashboardProps = Parameters<typeof runDashboard>[0];

/** The screen of a command: a dashboard, and the menu over it. @param onShown told who draws on the terminal */
export function commandScreen(options: Options, onShown?: OnShown) {
	const look = lookOf(options);
	const terminal: ScreenTerminal = {
		stdin: process.stdin,
		stdout: process.stdout,
		isAlternate: !options.flags.noAltScreen,
		isScreenReader: isScreenReader(),
	};
	return {
		/** Shows a dashboard until it is left, or until the signal. */
		show: async (shown: Omit<DashboardProps, keyof Appearance>, signal: AbortSignal) => {
			// Loaded while the first requests are under way.
			const {runDashboard} = await import('../../src/ui/app/runDashboard.tsx');
			return runDashboard({...look, ...shown}, terminal, signal, onShown);
		},
		/** Shows a menu, in the theme that was chosen in the dashboard below it. */
		choose: async (menu: Omit<Menu, keyof Appearance>, left: UiState | undefined) => {
			const {chooseFrom} = await import('../../src/ui/app/chooseFrom.tsx');
			const theme = left?.isThemeChosen ? left.theme : look.theme;
			return chooseFrom({...look, theme, ...menu}, terminal, onShown);
		},
	};
}

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
