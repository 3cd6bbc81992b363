import type {Forecast} from '../../forecast/forecast.ts';

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

/** The ends of node names: what all share, else what those of one domain do where they are most, and the others stay whole. */
function nodeEnds(names: readonly string[]): SharedEnds {
	const of = (some: readonly string[]) => sharedOf(some, /^.*[-.]/, /\..*$/);
	const all = of(names);
	if (all.prefix + all.suffix !== '') return all;
	const domains = Map.groupBy(names, (name) => /\..*$/.exec(name)?.[0] ?? '');
	const most = [...domains.values()].find(({length}) => length > names.length / 2) ?? [];
	const ends = of(most);
	const short = new Set(most.map((name) => without(name, ends)));
	return names.some((name) => short.has(name)) ? nothing : ends;
}

const without = (name: string, {prefix, suffix}: SharedEnds): string =>
	name.startsWith(prefix) && name.endsWith(suffix)
		? name.slice(prefix.length, name.length - suffix.length)
		: name;

/** What the names of all nodes and of all zones share: rows leave it out. */
export class SharedNames {
	readonly #nodes: SharedEnds;
	readonly #zones: SharedEnds;

	constructor({nodes, zones}: Pick<Forecast, 'nodes' | 'zones'>) {
		this.#nodes = nodeEnds(nodes.map(({name}) => name));
		this.#zones = sharedOf(
			zones.map(({zone}) => zone),
			/^.*\//,
			/$^/,
		);
	}

	/** The name of a node without what those of all nodes share. */
	shortNode(name: string): string {
		return without(name, this.#nodes);
	}

	/** The name of a zone without the region, where all zones are of one. */
	shortZone(zone: string): string {
		return without(zone, this.#zones);
	}

	/** A text without what the names of all nodes share, where it names some. */
	shorten(text: string): string {
		return text.replaceAll(/(?<=\bnode )\S+/g, (name) => this.shortNode(name));
	}

	/** What all names share, to be said once: `nodes ip-10-0-*.eu-west-1.compute.internal`; empty where that is nothing. */
	get words(): string {
		const [{prefix, suffix}, zones] = [this.#nodes, this.#zones];
		return [
			...(prefix + suffix === '' ? [] : [`nodes ${prefix}*${suffix}`]),
			...(zones.prefix === '' ? [] : [`zones ${zones.prefix}*`]),
		].join(', ');
	}
}
