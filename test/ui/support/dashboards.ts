import {createElement, type ReactNode} from 'react';
import {Background} from '../../../src/ui/app/background.ts';
import {Dashboard, type DashboardOptions} from '../../../src/ui/app/dashboard.tsx';
import type {SceneSource} from '../../../src/ui/scene/scene.ts';
import {ShownScreen, type TerminalSize} from './terminal.ts';

/** A dashboard on a terminal with all capabilities. */
export const dashboardScreen = (source: SceneSource, options: Partial<DashboardOptions> = {}): ReactNode =>
	createElement(Dashboard, {
		...{source, theme: 'dark', namespace: undefined, menu: undefined},
		background: new Background(),
		capabilities: {depth: 24, isUnicode: true},
		tick: hardlyEver,
		onEffect: () => undefined,
		...options,
	});

const hardlyEver = () => 60_000;

/** The text of a dashboard on a terminal of some size after these keys. */
export const textAt =
	(size: TerminalSize, options: Partial<DashboardOptions> = {}, isScreenReader = false) =>
	async (source: SceneSource, ...keys: readonly string[]): Promise<string> => {
		const shown = new ShownScreen(dashboardScreen(source, options), size, isScreenReader);
		await shown.settle();
		await shown.type(...keys);
		const text = await shown.text();
		await shown.end();
		return text;
	};
