import type {SignalForecast, ThresholdForecast} from '../../forecast/pressure/pressureForecast.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type StyledText, span} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';

/** How near a signal is to its threshold, for the colour of its gauge. */
export function gaugeTone(threshold: ThresholdForecast | undefined): Tone {
	switch (threshold?.crossing.type) {
		case 'met':
			return 'bad';
		case 'expected':
			return 'warn';
		case 'possible':
			return 'likely';
		case undefined:
			return 'dim';
		default:
			return 'good';
	}
}

/** What is left of a signal's capacity, as a bar: never empty while anything is left, never full unless all is. */
export function gaugeBar(
	{available, capacity}: Pick<SignalForecast, 'available' | 'capacity'>,
	threshold: ThresholdForecast | undefined,
	width: number,
	glyphs: Glyphs,
): StyledText {
	if (available === null || capacity === null || capacity <= 0n) return span(glyphs.none, 'dim');
	const share = Math.min(1, Math.max(0, Number(available) / Number(capacity)));
	const least = available > 0n ? 1 : 0;
	const cells =
		available >= capacity ? width : Math.min(width - 1, Math.max(least, Math.round(share * width)));
	return span(glyphs.full.repeat(cells) + glyphs.empty.repeat(width - cells), gaugeTone(threshold));
}
