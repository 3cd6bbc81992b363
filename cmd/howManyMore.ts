import {moreLosses} from '../src/impact/moreLosses.ts';
import {formatMoreLosses, moreLossesJson} from '../src/print/moreLosses.ts';
import {formatStructured} from '../src/print/structured.ts';
import type {Options} from './options.ts';
import type {AskedScene} from './scene.ts';
import {warnings} from './show.ts';
import type {Terminal} from './terminal.ts';

/** `what-if --how-many-more`: how many further nodes each zone can lose until it slows down, stops, or everything does. */
export async function howManyMore(
	{snapshot, forecaster}: AskedScene,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const forecast = forecaster.forecast(snapshot.observedAt);
	const outlook = moreLosses(forecast.zones, forecaster.settings);
	if (options.output === 'table') {
		await terminal.print(formatMoreLosses(outlook));
		await terminal.printError(warnings(forecast.problems));
	} else {
		const json = moreLossesJson(outlook, forecast);
		await terminal.print(await formatStructured(json, options.output === 'json' ? 'json' : 'yaml'));
	}
	return 0;
}
