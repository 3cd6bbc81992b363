import {grouped} from '../../core/collections/grouped.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {linked} from '../../forecast/words.ts';

/** The common beginning and end of all names. */
type SharedEnds = {readonly prefix: string; readonly suffix: string};

/** Shorter common parts are kept, because they identify a place and take little room. */
const shortest = 6;
const nothing: SharedEnds = {prefix: '', suffix: ''};

/** The common beginning and end of names, up to a separator, so that whole words remain. */
function sharedOf(names: readonly string[], before: RegExp, after: RegExp): SharedEnds {
	const [first = '', ...others] = names;
	if (others.length === 0) return nothing;
	let [head, tail] = [first, first];
	for (const name of others) {
		while (!name.startsWith(head)) head = head.slice(0, -1);
		while (!name.endsWith(tail)) tail = tail.slice(1);
	}
	const prefix = before.exec(head)?.[0] ?? '';
	const suffix = after.exec(tail)?.[0] ?? '';
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
	const domains = grouped(names, (name) => /\..*$/.exec(name)?.[0] ?? '');
	const most = domains.find(([, {length}]) => length > names.length / 2)?.[1] ?? [];
	const ends = of(most);
	const short = new Set(most.map((name) => without(name, ends)));
	return names.some((name) => short.has(name)) ? nothing : ends;
}

const without = (name: string, {prefix, suffix}: SharedEnds) =>
	name.startsWith(prefix) && name.endsWith(suffix)
		? name.slice(prefix.length, name.length - suffix.length)
		: name;

/** The common parts of all node names and of all zone names, which rows omit. */
export class SharedNames {
	readonly #nodes: SharedEnds;
	readonly #zones: SharedEnds;

	constructor({nodes, zones}: Pick<Forecast, 'nodes' | 'zones'>) {
		this.#nodes = nodeEnds(nodes.map(nameOf));
		this.#zones = sharedOf(
			zones.map(({zone}) => zone),
			/^.*\//,
			/$^/,
		);
	}

	/** The name of a node without the common parts. */
	shortNode(name: string): string {
		return without(name, this.#nodes);
	}

	/** The name of a zone without the region, if all zones share it. */
	shortZone(zone: string): string {
		return without(zone, this.#zones);
	}

	/** A text in which node names have no common parts. */
	shorten(text: string): string {
		return text.replaceAll(/\bnode (\S+)/g, (_, name: string) => `node ${this.shortNode(name)}`);
	}

	/** The common parts, shown once: `nodes ip-10-0-*.eu-west-1.compute.internal`; empty if there are none. */
	get words(): string {
		const [{prefix, suffix}, zones] = [this.#nodes, this.#zones];
		return linked(
			', ',
			prefix + suffix && `nodes ${prefix}*${suffix}`,
			zones.prefix && `zones ${zones.prefix}*`,
		);
	}
}
