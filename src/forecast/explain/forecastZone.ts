import {judgeZone} from '../conclude/zoneVerdict.ts';
import {stopOf} from '../infer/evictionStop.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import type {ZoneForecast} from '../zoneForecast.ts';
import {sentenceOf} from './draft.ts';
import {stopReason} from './reasons/stopReason.ts';
import type {Situation} from './situation.ts';

/** What is known of a zone, how far it is from another state, and why it is stopped. */
export function forecastZone(zone: string, past: ZonePast, situation: Situation): ZoneForecast {
	const forecast = judgeZone(zone, past, situation);
	const stop = stopOf(zone, situation);
	return stop
		? {...forecast, because: [sentenceOf(stopReason(stop, zone, situation), situation.now)]}
		: forecast;
}
