import {Background} from '../../src/ui/app/background.ts';
import type {ScreenTerminal} from '../../src/ui/app/runScreen.ts';
import {defaultConfig} from '../../src/ui/state/config.ts';
import type {UiState} from '../../src/ui/state/uiState.ts';
import {capabilitiesOf} from '../../src/ui/theme/capabilities.ts';
import type {ThemeName} from '../../src/ui/theme/palette.ts';
import type {Options} from '../args/options.ts';

export const screenTerminal = (isAlternate: boolean): ScreenTerminal => ({
	stdin: process.stdin,
	stdout: process.stdout,
	isAlternate,
	isScreenReader: isScreenReader(),
});

// The variable is ink's.
const isScreenReader = (): boolean => process.env['INK_SCREEN_READER'] === 'true';

export type DashboardLook = ReturnType<typeof dashboardLook>;

/** The look of a menu over a dashboard: in the theme that was chosen there. */
export const menuLook = (look: DashboardLook, left: UiState | undefined): DashboardLook =>
	left?.isThemeChosen ? {...look, theme: left.theme} : look;

/** The same for every dashboard: what the terminal can show, and the user's configuration. */
export function dashboardLook({flags, timeZone, config}: Options) {
	const {bindings, notify, theme} = config ?? defaultConfig;
	const capabilities = capabilitiesOf(process.env, process.platform);
	const isColored = capabilities.depth > 1 && !isScreenReader();
	return {
		capabilities,
		bindings,
		notify,
		timeZone,
		theme: (flags.theme as ThemeName | undefined) ?? theme ?? (isColored ? undefined : ('dark' as const)),
		background: new Background(),
		isScreenReader: isScreenReader(),
	};
}
