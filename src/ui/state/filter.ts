import {parseLabelSelector} from '../../core/selector/labelSelector.ts';
import type {AnyTable} from '../views/table.ts';

/** What a filter lets through, and what to say where it could not be read as meant. */
type RowFilter<Row> = {readonly passes: (row: Row) => boolean; readonly complaint: string | undefined};

/**
 * Reads a filter as k9s does: a pattern, `!` before it for all that do not match, `-l app=cart` by label. A pattern that
 * is none is looked for as it stands.
 */
export function filterOf(
	text: string,
	table: AnyTable,
	// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
): RowFilter<any> {
	const wanted = text.trim();
	if (wanted === '' || wanted === '!') return {passes: () => true, complaint: undefined};
	if (/^-l\b/.test(wanted)) return byLabels(wanted.slice(2).trim(), table);
	const isNegated = wanted.startsWith('!');
	const {matches, complaint} = patternOf(isNegated ? wanted.slice(1).trim() : wanted);
	return {passes: (row) => matches(table.textOf(row)) !== isNegated, complaint};
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
function byLabels(selector: string, {labelsOf}: AnyTable): RowFilter<any> {
	if (!labelsOf) return {passes: () => true, complaint: 'these rows have no labels'};
	try {
		const matches = parseLabelSelector(selector);
		return {passes: (row) => matches(labelsOf(row)), complaint: undefined};
	} catch (error) {
		return {passes: () => true, complaint: error instanceof Error ? error.message : String(error)};
	}
}

function patternOf(source: string): {
	readonly matches: (text: string) => boolean;
	readonly complaint: string | undefined;
} {
	try {
		const pattern = new RegExp(source, 'i');
		return {matches: (text) => pattern.test(text), complaint: undefined};
	} catch {
		const literal = source.toLowerCase();
		return {
			matches: (text) => text.toLowerCase().includes(literal),
			complaint: 'invalid regex, matched literally',
		};
	}
}
