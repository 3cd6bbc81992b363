import {formatTimestamp} from '../../dates/utc.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import {addedBy, priceOfReturn} from '../../forecast/whatif/triggers.ts';
import {type Connection, pasted, usualConnection} from '../../text/pasted.ts';
import type {RemedyJson, RescueJson} from '../contract/rescue.ts';
import {apiVersion, metadataJson} from '../json/json.ts';
import {optionalRangeJson} from '../json/rangeJson.ts';
import {changeWords} from './changeWords.ts';
import {endingJson} from './endings.ts';
import type {Rescue} from './rescue.ts';
import {rescueCommand} from './rescueCommand.ts';

/** How and until when pods can be saved, as JSON. */
export const rescueJson = (
	{now, pods, held}: Rescue,
	forecast: Forecast,
	connection: Connection = usualConnection,
): RescueJson => ({
	apiVersion,
	kind: 'Rescue',
	metadata: metadataJson({...forecast, observedAt: now}),
	pods: pods.map(({forecast: {namespace, name, uid, node, eviction}, pod, remedies, endings, relief}) => ({
		metadata: {namespace, name, uid},
		node,
		eviction: optionalRangeJson(eviction),
		relief:
			relief?.pods.map((one) => ({
				namespace: one.pod.namespace,
				name: one.pod.name,
				frees: Number(one.usage ?? 0n),
			})) ?? null,
		endings: endings.map(endingJson),
		remedies: remedies.map((remedy) => ({
			kind: remedy.kind,
			effect: remedy.effect,
			until: remedy.until === undefined ? null : formatTimestamp(remedy.until),
			isEarly: remedy.isEarly ?? false,
			eviction: optionalRangeJson(remedy.eviction),
			evicts: evictsJson(remedy, node, held),
			afterRestart: remedy.afterRestart ?? null,
			what: changeWords(remedy.change),
			command: pod ? pasted(rescueCommand(remedy, pod), connection) : '',
		})),
	})),
	held: held.map(({zone, by, triggers}) => ({
		zone,
		by,
		triggers: triggers.map((trigger) => ({
			what: trigger.what,
			first: optionalRangeJson(firstOf(addedBy(trigger))),
			added: addedBy(trigger).length,
			avoided: trigger.pods.filter(({effect}) => effect === 'avoided').length,
		})),
	})),
});

/** The pods that a node's return would release. */
function evictsJson({kind}: Remedy, node: string, held: Rescue['held']): RemedyJson['evicts'] {
	const triggers = held.flatMap((one) => one.triggers);
	const price = kind === 'NodeBack' ? priceOfReturn(node, triggers) : undefined;
	if (!price) return null;
	const released = [...price.sure, ...price.unsure].map(({after}) => after);
	return {pods: released.length, first: optionalRangeJson(firstOf(released))};
}

const firstOf = (pods: readonly PodForecast[]): Range | null =>
	pods.flatMap(({eviction}) => eviction ?? []).toSorted((a, b) => a.earliest - b.earliest)[0] ?? null;
