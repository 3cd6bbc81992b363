/**
 * Takes apart what several commands have written into one file: JSON objects one after another. Text between them, such as
 * the logs in what `kubectl cluster-info dump` prints, is passed over as far as it is not in braces itself.
 *
 * @returns the text of each object that stands at the beginning of a line; the last may be cut off
 */
export function splitJson(text: string): readonly string[] {
	const parts: string[] = [];
	for (let from = beginOf(text, 0); from >= 0; ) {
		const end = endOf(text, from);
		parts.push(text.slice(from, end));
		from = beginOf(text, end);
	}
	return parts;
}

function beginOf(text: string, from: number): number {
	const begin = /^[{[]/gm;
	begin.lastIndex = from;
	return begin.exec(text)?.index ?? -1;
}

/** Behind the bracket that closes the one at `from`; the end of the text where none does. */
function endOf(text: string, from: number): number {
	// Texts are taken whole: brackets in them count for nothing. One that was cut off ends with the file, so that each sign is
	// looked at once.
	const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs;
	tokens.lastIndex = from;
	let depth = 0;
	for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
		if (token[0] === '{' || token[0] === '[') depth += 1;
		else if (token[0] === '}' || token[0] === ']') depth -= 1;
		if (depth === 0) return tokens.lastIndex;
	}
	return text.length;
}
