import type {Forecast} from '../../forecast/forecast.ts';
import {stepWords} from '../../forecast/words.ts';
import type {LossOutlook, MoreLosses} from '../../impact/moreLosses.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {LossOutlookJson} from '../contract/whatIf.ts';
import {headJson} from '../json/json.ts';
import {continueWords, controllersLostWords} from '../legend.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {rateCell, readyCell} from '../tables/zoneKind.ts';

const headers = ['ZONE', 'STATE', 'READY', 'RATE', 'IF IT LOSES MORE NODES'];

/**
 * How many more nodes each zone can lose, as a table.
 *
 * @param onlyHost the node of the only controller manager, if it is known
 */
export function formatMoreLosses({zones, untilAllStop}: LossOutlook, onlyHost?: string): string {
	const rows = zones.map((one) => [
		escapeForCell(one.zone),
		one.coming ? `${one.state}, soon ${one.coming}` : one.state,
		readyCell(one),
		rateCell(one),
		lossWords(one),
	]);
	return (
		new TabWriter().write([headers, ...rows]) +
		(untilAllStop === 0
			? '\nNo node is heard any more: every eviction is stopped, or is about to be.\n'
			: `\n${continueWords}.\n${lossOfAllText(untilAllStop, onlyHost)}`)
	);
}

/** Where all is lost, the taints are taken off only by controllers that still run. */
function lossOfAllText(ready: number, onlyHost: string | undefined): string {
	const [first, fail] =
		onlyHost === undefined
			? ['', 'fail']
			: [
					`In any state of the zones: ${controllersLostWords(onlyHost)}.\n`,
					'fall silent while the controller manager still runs',
				];
	return `${first}If all ${ready} nodes that are ready ${fail}, every eviction stops, and taints are removed.\n`;
}

const lossWords = ({rate, steps}: MoreLosses) =>
	steps
		.map((step, index) => `${step.nodes} more: ${stepWords(steps[index - 1]?.rate ?? rate, step)}`)
		.join('; ') || '-';

export const moreLossesJson = (outlook: LossOutlook, forecast: Forecast): LossOutlookJson => ({
	...headJson('LossOutlook', forecast),
	...outlook,
});
