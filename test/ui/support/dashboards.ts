import type {Screenful} from '../../../src/ui/app/app.ts';
import {Dashboard, type DashboardOptions} from '../../../src/ui/app/dashboard.ts';
import type {UiEffect} from '../../../src/ui/state/facts.ts';
import {defaultBindings} from '../../../src/ui/state/keyTable.ts';
import type {SceneSource} from '../../../src/ui/state/scene.ts';
import {ShownScreen, type TerminalSize} from './terminal.ts';

/** A dashboard as a screen, with a terminal that shows everything. */
export function dashboardScreen(
	source: SceneSource,
	options: Partial<DashboardOptions> = {},
	onEffect: (effect: UiEffect) => void = () => undefined,
): Screenful {
	const dashboard = new Dashboard({
		...{
			source,
			bindings: defaultBindings,
			theme: 'dark',
			namespace: undefined,
			hasMenu: false,
			isScreenReader: false,
		},
		capabilities: {depth: 24, isUnicode: true},
		...options,
	});
	return {
		shown: dashboard,
		press: (key, size) => {
			const effect = dashboard.press(key, size);
			if (effect) onEffect(effect);
		},
		subscribe: source.subscribe,
		tick: () => 60_000,
	};
}

/** What a dashboard shows on a terminal of some size once so many keys were typed. */
export const textAt =
	(size: TerminalSize, options: Partial<DashboardOptions> = {}) =>
	async (source: SceneSource, ...keys: readonly string[]): Promise<string> => {
		const shown = new ShownScreen(dashboardScreen(source, options), size, options.isScreenReader);
		await shown.settle();
		await shown.type(...keys);
		const text = await shown.text();
		await shown.end();
		return text;
	};
