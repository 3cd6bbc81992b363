import {Composer, LineCounter, Parser} from 'yaml';

/** No object of Kubernetes is nested as deep; parsers need memory for each level. */
export const deepest = 200;

/** What is said of a text that is nested deeper. */
export const tooDeep = (line: number): string =>
	`it is nested deeper than any object of Kubernetes, at line ${line}`;

/**
 * Parses YAML that may be of any origin.
 *
 * @returns its documents
 * @throws Error that names the line, if it is no YAML or is nested too deep
 */
export function documentsOfYaml(text: string): readonly unknown[] {
	const lines = new LineCounter();
	const parser = new ShallowParser(lines);
	// Go's readers resolve merge keys, too. Warnings of the library would quote the text, cut where no secret ends.
	return [
		...new Composer({merge: true, logLevel: 'error'}).compose(parser.parse(text), false, text.length),
	].map((document) => {
		const [error] = document.errors;
		if (!error) return document.toJS() as unknown;
		const {line, col} = lines.linePos(error.pos[0]);
		throw new Error(`${error.message} at line ${line}, column ${col}`);
	});
}

/** Parses YAML of at most one document; null if there is none. @throws Error as `documentsOfYaml` */
export function parseYaml(text: string): unknown {
	const [document = null, ...others] = documentsOfYaml(text);
	if (others.length > 0) throw new Error('it has several documents');
	return document;
}

class ShallowParser extends Parser {
	readonly #lines: LineCounter;

	constructor(lines: LineCounter) {
		super(lines.addNewLine);
		this.#lines = lines;
	}

	override *next(source: string): ReturnType<Parser['next']> {
		yield* super.next(source);
		if (this.stack.length > deepest) throw new Error(tooDeep(this.#lines.linePos(this.offset).line));
	}
}
