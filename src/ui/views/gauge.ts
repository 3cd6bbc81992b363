import type {SignalForecast, ThresholdForecast} from '../../forecast/pressure/pressureForecast.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type StyledText, span} from '../theme/line.ts';
import type {Tone} from '../theme/palette.ts';

/** The colour of a signal's gauge, by how close it is to its threshold. */
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

/** The available share of a signal's capacity, as a bar: empty only at zero, full only at the whole capacity. */
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
