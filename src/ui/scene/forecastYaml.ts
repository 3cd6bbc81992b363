import type {Target} from '../../forecast/explain/explanation.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {itemJson} from '../../print/json/json.ts';
import {nodes} from '../../print/tables/nodeKind.ts';
import {pods} from '../../print/tables/podKind.ts';
import {zones} from '../../print/tables/zoneKind.ts';

/** The forecast of a target as YAML, as with `-o yaml`; undefined if nothing has its name. Loads the YAML library first. */
export async function forecastYaml(
	target: Target,
	forecast: Forecast,
): Promise<readonly string[] | undefined> {
	const item = itemOf(target, forecast);
	if (item === undefined) return undefined;
	const {formatYaml} = await import('../../print/json/yaml.ts');
	return formatYaml(item).trimEnd().split('\n');
}

function itemOf(target: Target, forecast: Forecast): unknown {
	const {name} = target;
	switch (target.kind) {
		case 'pod': {
			const pod = forecast.pods.find((one) => one.name === name && one.namespace === target.namespace);
			return pod && itemJson(pods, pod);
		}
		case 'node': {
			const node = forecast.nodes.find((one) => one.name === name);
			return node && itemJson(nodes, node);
		}
		case 'zone': {
			const zone = forecast.zones.find((one) => one.zone === name);
			return zone && itemJson(zones, zone);
		}
	}
}
