import {moreLosses} from '../../src/impact/moreLosses.ts';
import {formatMoreLosses, moreLossesJson} from '../../src/print/whatif/moreLosses.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import type {AskedScene} from '../sources/scene.ts';
import {printAnswer} from './answer.ts';

/** `what-if --how-many-more`: how many further nodes each zone can lose until it slows down, stops, or everything does. */
export async function howManyMore(
	{forecast, forecaster}: AskedScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const outlook = moreLosses(forecast, forecaster.settings);
	const [text, document] = [() => formatMoreLosses(outlook), () => moreLossesJson(outlook, forecast)];
	await printAnswer(
		{text, document, problems: forecast.problems, now: forecast.observedAt},
		options,
		terminal,
	);
	return 0;
}
