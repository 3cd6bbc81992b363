import type {Range} from './facts.ts';

/** A row of a table, by the heads of its columns. */
export type Row = Readonly<Record<string, string>>;

type Place = {readonly text: string; readonly from: number; readonly to: number};

/** The texts of a line that at least two spaces part. */
const placesIn = (line: string): readonly Place[] =>
	[...line.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
		text: match[0],
		from: match.index,
		to: match.index + match[0].length,
	}));

/**
 * The rows of all tables in a text. A table begins with a line of heads, of which at least two are asked for, and ends with an
 * empty line. A cell belongs to the head below which it stands.
 */
export function rowsOf(text: string, heads: readonly string[]): readonly Row[] {
	const rows: Row[] = [];
	let columns: readonly Place[] | undefined;
	for (const whole of text.split('\n')) {
		const line = whole
			.replace(/│.*/, '')
			.replace('▸', ' ')
			.replace(/[▁-█]{2,}/g, (bar) => ' '.repeat(bar.length));
		const places = placesIn(line);
		const isHead = places.filter((place) => heads.includes(headOf(place))).length >= 2;
		if (isHead) columns = places;
		else if (places.length === 0) columns = undefined;
		else if (columns) {
			const row: Record<string, string> = Object.fromEntries(columns.map((column) => [headOf(column), '']));
			for (const place of places) {
				const column = columns.toSorted((a, b) => distance(place, a) - distance(place, b))[0];
				if (column) row[headOf(column)] ||= place.text;
			}
			rows.push(row);
		}
	}
	return rows;
}

const headOf = ({text}: Place): string => text.replace(/[↑↓]$/, '');

/** Negative where they overlap, by how much. */
const distance = (a: Place, b: Place): number => Math.max(a.from, b.from) - Math.min(a.to, b.to);

/** A text whose lines are broken, as one line; an empty line ends a sentence. */
export const sentencesOf = (text: string): string => text.replace(/\n\s*\n/g, ' ¶ ').replace(/\s+/g, ' ');

const units: Readonly<Record<string, number>> = {d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000};

/** As `3m57s`, `0:15`, `1:02:03`; undefined if it is none. */
function durationOf(text: string): number | undefined {
	if (/^\d+(:\d\d)+$/.test(text))
		return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
	if (!/^(\d+(\.\d+)?[dhms])+$/.test(text)) return undefined;
	return [...text.matchAll(/([\d.]+)([dhms])/g)].reduce(
		(sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
		0,
	);
}

/** As `7s-10s`, `0:07–0:10`, `19s or later`, `0:23+`, `now or later`, of an instant; undefined if it is none. */
export function offsetRange(cell: string, at: number): Range | undefined {
	const isOpen = / or later$|\+$/.test(cell);
	const [one = '', two] = cell.replace(/ or later$|\+$/, '').split(/[-–]/);
	const first = one === 'now' ? 0 : durationOf(one);
	if (first === undefined) return undefined;
	const last = two === undefined ? first : durationOf(two);
	if (last === undefined) return undefined;
	return [at + first, isOpen ? null : at + last];
}

/** As `14:02:07Z/14:02:10Z`, `14:02:23Z or later`, on the day of an instant; undefined if it is none. */
export function clockRange(cell: string, at: number): Range | undefined {
	const match = /^(\d\d:\d\d:\d\d)Z?(?:\/(\d\d:\d\d:\d\d)Z?)?( or later)?/.exec(cell);
	if (!match) return undefined;
	const [, one = '', two, isOpen] = match;
	const instant = (time: string) => Date.parse(`${new Date(at).toISOString().slice(0, 11)}${time}Z`);
	return [instant(one), isOpen ? null : instant(two ?? one)];
}

/** A range of a JSON document. */
export function jsonRange(
	value: {readonly earliest: string; readonly latest: string | null} | null | undefined,
): Range | undefined {
	return value
		? [Date.parse(value.earliest), value.latest === null ? null : Date.parse(value.latest)]
		: undefined;
}
