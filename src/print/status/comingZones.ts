import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {paceVerb, someOf} from '../../forecast/words.ts';
import type {ZoneForecast, ZoneStep} from '../../forecast/zoneForecast.ts';
import {formatWhenAt} from '../countdown.ts';

/** The zones that stop evictions or change their rate as their silent nodes become Unknown. */
export const comingZonesTexts = (forecast: Forecast, now: Instant): readonly string[] =>
	forecast.zones.flatMap((zone) => comingText(zone, forecast, now));

/** `stop (PartialDisruption)`, `stop (every zone is down)`. */
const stepWords = ({state, rate}: ZoneStep, before: number): string =>
	`${paceVerb(before, rate)} (${rate === 0 && state === 'FullDisruption' ? 'every zone is down' : state})`;

/** `when b3 turns Unknown, evictions in zone eu/b stop (PartialDisruption) in 8s-15s (...); then its pods are held, unless it is tainted before`. */
function comingText(zone: ZoneForecast, {nodes, pods}: Forecast, now: Instant): readonly string[] {
	const {steps, isSure} = zone.coming;
	const changes = steps.filter(({rate}, index) => rate !== (steps[index - 1] ?? zone).rate);
	if (changes.length === 0) return [];
	const silent = nodes.filter((node) => node.zone === zone.zone && node.verdict === 'Silent');
	const names = someOf(silent.map(({name}) => name));
	const words = steps.flatMap((step, index) => {
		const before = steps[index - 1] ?? zone;
		return changes.includes(step) ? [`${stepWords(step, before.rate)} ${formatWhenAt(step.at, now)}`] : [];
	});
	const own = pods.filter(({node}) => silent.some(({name}) => name === node));
	const one = silent.length === 1;
	const unless = own.some(({eviction}) => eviction !== null)
		? `, unless ${one ? 'it is' : 'they are'} tainted before`
		: '';
	const held =
		steps.at(-1)?.rate === 0 && own.length > 0
			? `; then ${one ? 'its' : 'their'} pods are held${unless}`
			: '';
	const verb = one ? 'turns' : 'turn';
	// A zone may pass through a state between two passes, or not.
	const doubt = isSure ? '' : steps.at(-1)?.rate === zone.rate ? 'may ' : 'most likely ';
	return [
		`when ${names} ${verb} Unknown, evictions in zone ${zone.zone} ${doubt}${words.join(', then ')}${held}`,
	];
}
