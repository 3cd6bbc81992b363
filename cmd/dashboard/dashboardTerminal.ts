import type {ScreenTerminal} from '../../src/ui/app/runScreen.ts';
import {defaultConfig} from '../../src/ui/state/config.ts';
import {capabilitiesOf} from '../../src/ui/theme/capabilities.ts';
import type {ThemeName} from '../../src/ui/theme/palette.ts';
import type {Options} from '../args/options.ts';

/** The terminal of the process, as the dashboard takes it. */
export const screenTerminal = (isAlternate: boolean): ScreenTerminal => ({
	stdin: process.stdin,
	stdout: process.stdout,
	isAlternate,
	isScreenReader: isScreenReader(),
});

// As ink has it.
const isScreenReader = (): boolean => process.env['INK_SCREEN_READER'] === 'true';

/** What is the same for every dashboard: what the terminal shows, and what the user has set. */
export function dashboardLook({flags, timeZone, config}: Options) {
	const {bindings, notify, theme} = config ?? defaultConfig;
	return {
		capabilities: capabilitiesOf(process.env, process.platform),
		bindings,
		notify,
		timeZone,
		theme: (flags.theme as ThemeName | undefined) ?? theme,
		isScreenReader: isScreenReader(),
	};
}
