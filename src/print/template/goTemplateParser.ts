import {PipelineParser} from './goPipelineParser.ts';
import type {Statement} from './goTemplateNode.ts';
import {type Segment, segmentsOf, type TemplateToken} from './goTemplateTokens.ts';
import {TemplateError} from './templateError.ts';

const unsupported = ['define', 'template', 'block'];

/**
 * Parses a Go template, as in `-o go-template`. Nested templates are not supported.
 *
 * @throws TemplateError if it is invalid
 */
export function parseGoTemplate(template: string): readonly Statement[] {
	const segments = [...segmentsOf(template)];
	const {statements, end} = readBody(segments, false);
	if (end !== undefined) throw new TemplateError(`unexpected {{${end.keyword}}}`);
	return statements;
}

type End = {readonly keyword: 'end' | 'else'; readonly rest: readonly TemplateToken[]};

/** Parses statements up to their own `end` or `else`. */
function readBody(
	segments: Segment[],
	isInRange: boolean,
): {readonly statements: Statement[]; readonly end?: End} {
	const statements: Statement[] = [];
	for (let segment = segments.shift(); segment; segment = segments.shift()) {
		if ('text' in segment) {
			if (segment.text !== '') statements.push({type: 'text', text: segment.text});
			continue;
		}
		const {keyword, rest} = keywordOf(segment.tokens);
		if (keyword === 'end' || keyword === 'else') return {statements, end: {keyword, rest}};
		statements.push(readStatement(keyword, rest, segments, isInRange));
	}
	return {statements};
}

const keywords = ['end', 'else', 'if', 'with', 'range', 'break', 'continue', ...unsupported];

function keywordOf(tokens: readonly TemplateToken[]): {
	readonly keyword: string;
	readonly rest: readonly TemplateToken[];
} {
	const [first, ...rest] = tokens;
	if (first?.type !== 'word' || !keywords.includes(first.text)) return {keyword: '', rest: tokens};
	return {keyword: first.text, rest};
}

function readStatement(
	keyword: string,
	rest: readonly TemplateToken[],
	segments: Segment[],
	isInRange: boolean,
): Statement {
	switch (keyword) {
		case '': {
			const pipeline = new PipelineParser(rest).whole();
			if (pipeline.variables.length > 1) throw new TemplateError('only a range has two variables');
			return {type: 'print', pipeline};
		}
		case 'break':
		case 'continue':
			if (!isInRange) throw new TemplateError(`{{${keyword}}} outside {{range}}`);
			return {type: keyword};
		case 'if':
		case 'with':
		case 'range':
			return readBranch(keyword, rest, segments, isInRange);
		default:
			throw new TemplateError(`{{${keyword}}} is not supported: one template is all there is`);
	}
}

function readBranch(
	type: 'if' | 'with' | 'range',
	tokens: readonly TemplateToken[],
	segments: Segment[],
	isInRange: boolean,
): Statement {
	const pipeline = new PipelineParser(tokens).whole();
	if (type !== 'range' && pipeline.variables.length > 1)
		throw new TemplateError('only a range has two variables');
	const {statements: body, end} = readBody(segments, isInRange || type === 'range');
	if (!end) throw new TemplateError(`{{${type}}} without {{end}}`);
	if (end.keyword === 'end') return {type, pipeline, body, otherwise: []};
	const {keyword, rest} = keywordOf(end.rest.slice(1));
	if (keyword === 'if' || keyword === 'with') {
		return {type, pipeline, body, otherwise: [readBranch(keyword, rest, segments, isInRange)]};
	}
	const {statements: otherwise, end: last} = readBody(segments, isInRange);
	if (last?.keyword !== 'end') throw new TemplateError(`{{else}} without {{end}}`);
	return {type, pipeline, body, otherwise};
}
