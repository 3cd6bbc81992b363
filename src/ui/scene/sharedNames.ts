import type {Forecast} from '../../forecast/forecast.ts';
import {once} from '../../forecast/once.ts';

/** What all names share at their ends. */
type SharedEnds = {readonly prefix: string; readonly suffix: string};

/** A shorter part is no burden, and tells where one is. */
const shortest = 6;
const nothing: SharedEnds = {prefix: '', suffix: ''};

/** What names share up to a separator: the rest of each is whole words. */
function sharedOf(names: readonly string[], before: RegExp, after: RegExp): SharedEnds {
	const [first = '', ...others] = names;
	if (others.length === 0) return nothing;
	let [head, tail] = [first.length, first.length];
	for (const name of others) {
		let at = 0;
		while (at < head && name[at] === first[at]) at += 1;
		head = at;
		at = 0;
		while (at < tail && at < name.length && name.at(-1 - at) === first.at(-1 - at)) at += 1;
		tail = at;
	}
	const prefix = before.exec(first.slice(0, head))?.[0] ?? '';
	const suffix = after.exec(first.slice(first.length - tail))?.[0] ?? '';
	const isWhole = names.every((name) => name.length > prefix.length + suffix.length);
	return {
		prefix: isWhole && prefix.length >= shortest ? prefix : '',
		suffix: isWhole && suffix.length >= shortest ? suffix : '',
	};
}

const findNodes = (nodes: Forecast['nodes']): SharedEnds =>
	sharedOf(
		nodes.map(({name}) => name),
		/^.*[-.]/,
		/\..*$/,
	);
const findZones = (zones: Forecast['zones']): SharedEnds =>
	sharedOf(
		zones.map(({zone}) => zone),
		/^.*\//,
		/$^/,
	);

const without = (name: string, {prefix, suffix}: SharedEnds): string =>
	name.startsWith(prefix) && name.endsWith(suffix)
		? name.slice(prefix.length, name.length - suffix.length)
		: name;

/** The name of a node without what those of all nodes share. */
export const shortNode = (name: string, {nodes}: Pick<Forecast, 'nodes'>): string =>
	without(name, once(findNodes, nodes));

/** The name of a zone without the region, where all zones are of one. */
export const shortZone = (zone: string, {zones}: Pick<Forecast, 'zones'>): string =>
	without(zone, once(findZones, zones));

/** A text without what the names of all nodes share, where it names some. */
export const withShortNodes = (text: string, forecast: Pick<Forecast, 'nodes'>): string =>
	text.replaceAll(/(?<=\bnode )\S+/g, (name) => shortNode(name, forecast));

/** What all names share, to be said once: `nodes ip-10-0-*.eu-west-1.compute.internal`; empty where that is nothing. */
export function sharedWords({nodes, zones}: Pick<Forecast, 'nodes' | 'zones'>): string {
	const [ofNodes, ofZones] = [once(findNodes, nodes), once(findZones, zones)];
	return [
		...(ofNodes === nothing || ofNodes.prefix + ofNodes.suffix === ''
			? []
			: [`nodes ${ofNodes.prefix}*${ofNodes.suffix}`]),
		...(ofZones.prefix === '' ? [] : [`zones ${ofZones.prefix}*`]),
	].join(', ');
}
