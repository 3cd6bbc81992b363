import type {Forecast} from '../../forecast/forecast.ts';
import type {Remedy} from '../../forecast/whatif/remedy.ts';
import {addedBy, firstOf, priceOfReturn} from '../../forecast/whatif/triggers.ts';
import {type Connection, pasted, usualConnection} from '../../text/pasted.ts';
import type {RemedyJson, RescueJson} from '../contract/rescue.ts';
import {headJson} from '../json/json.ts';
import {fieldsOf} from '../json/jsonOf.ts';
import {changeWords} from './changeWords.ts';
import type {Rescue} from './rescue.ts';
import {rescueCommand} from './rescueCommand.ts';

/** How and until when pods can be saved, as JSON. */
export const rescueJson = (
	{now, pods, held}: Rescue,
	forecast: Forecast,
	connection: Connection = usualConnection,
): RescueJson => ({
	...headJson('Rescue', {...forecast, observedAt: now}),
	pods: pods.map(({forecast: doomed, pod, remedies, endings}) => ({
		metadata: fieldsOf(doomed, 'namespace', 'name', 'uid'),
		...fieldsOf(doomed, 'node', 'eviction', 'after'),
		endings,
		remedies: remedies.map((remedy) => ({
			...fieldsOf(remedy, 'kind', 'effect', 'until', 'eviction', 'afterRestart'),
			isEarly: remedy.isEarly ?? false,
			evicts: evictsJson(remedy, doomed.node, held),
			what: changeWords(remedy.change),
			command: pod ? pasted(rescueCommand(remedy, pod), connection) : '',
		})),
	})),
	held: held.map(({zone, by, triggers}) => ({
		zone,
		by,
		triggers: triggers.map((trigger) => ({
			what: trigger.what,
			first: firstOf(addedBy(trigger)),
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
	return {pods: released.length, first: firstOf(released)};
}
