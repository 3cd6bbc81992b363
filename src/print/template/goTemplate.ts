import {escapeForTerminal} from '../../text/escape.ts';
import {call, checkArity, isTrue, textOf} from './goFunctions.ts';
import type {Operand, Pipeline, PipelineCommand, Statement} from './goTemplateNode.ts';
import {parseGoTemplate} from './goTemplateParser.ts';
import {isObject, sortedEntries} from './goText.ts';
import type {Template} from './jsonPath.ts';
import type {WalkOptions} from './jsonPathWalk.ts';
import {TemplateError} from './templateError.ts';

/**
 * A Go template, as in kubectl's `-o go-template`.
 *
 * @throws TemplateError if it is invalid; the returned function throws one if it does not fit a value
 */
export function goTemplate(text: string, options: WalkOptions): Template {
	const statements = parseGoTemplate(text);
	return (value) => {
		const run = new Execution(value, options);
		run.all(statements, value);
		return run.text;
	};
}

/** How a range continues after its body. */
type Flow = 'next' | 'break' | 'continue';

/** One application of a template to a value. */
class Execution {
	text = '';
	readonly #options: WalkOptions;
	/** The innermost variable is last and hides outer ones of the same name. */
	readonly #variables: {readonly name: string; value: unknown}[];

	constructor(value: unknown, options: WalkOptions) {
		this.#options = options;
		this.#variables = [{name: '$', value}];
	}

	all(statements: readonly Statement[], dot: unknown): Flow {
		const depth = this.#variables.length;
		try {
			for (const statement of statements) {
				const flow = this.#one(statement, dot);
				if (flow !== 'next') return flow;
			}
			return 'next';
		} finally {
			this.#variables.length = depth;
		}
	}

	#one(statement: Statement, dot: unknown): Flow {
		switch (statement.type) {
			case 'text':
				this.text += statement.text;
				return 'next';
			case 'print':
				this.#print(statement.pipeline, dot);
				return 'next';
			case 'break':
			case 'continue':
				return statement.type;
			default:
				return this.#branch(statement, dot);
		}
	}

	#print(pipeline: Pipeline, dot: unknown): void {
		const value = this.#pipeline(pipeline, dot);
		if (pipeline.variables.length > 0) return;
		// The template's author controls its literals, so they are not escaped.
		const [only] = pipeline.commands;
		const isOwn = pipeline.commands.length === 1 && only?.type === 'value' && only.operand.type === 'literal';
		this.text += isOwn ? textOf(value) : escapeForTerminal(textOf(value));
	}

	#branch(statement: Statement & {type: 'if' | 'with' | 'range'}, dot: unknown): Flow {
		const depth = this.#variables.length;
		try {
			if (statement.type === 'range') return this.#range(statement, dot);
			const value = this.#pipeline(statement.pipeline, dot);
			if (!isTrue(value)) return this.all(statement.otherwise, dot);
			return this.all(statement.body, statement.type === 'with' ? value : dot);
		} finally {
			this.#variables.length = depth;
		}
	}

	#range({pipeline, body, otherwise}: Statement & {type: 'range' | 'if' | 'with'}, dot: unknown): Flow {
		const value = this.#pipeline({...pipeline, variables: []}, dot);
		const entries = entriesOf(value);
		if (entries.length === 0) return this.all(otherwise, dot);
		for (const [key, item] of entries) {
			const depth = this.#variables.length;
			const [first, second] = pipeline.variables;
			if (first !== undefined) this.#set(first, second === undefined ? item : key, pipeline.declares);
			if (second !== undefined) this.#set(second, item, pipeline.declares);
			const flow = this.all(body, item);
			this.#variables.length = depth;
			if (flow === 'break') break;
		}
		return 'next';
	}

	#pipeline({commands, variables, declares}: Pipeline, dot: unknown): unknown {
		let value: unknown;
		for (const [index, command] of commands.entries()) {
			value = this.#command(command, dot, index === 0 ? [] : [value]);
		}
		for (const name of variables) this.#set(name, value, declares);
		return value;
	}

	#command(command: PipelineCommand, dot: unknown, last: readonly unknown[]): unknown {
		if (command.type === 'value') return this.#operand(command.operand, dot);
		const {name, arguments: operands} = command;
		if (name !== 'and' && name !== 'or') {
			return call(name, [...operands.map((operand) => this.#operand(operand, dot)), ...last]);
		}
		checkArity(name, operands.length + last.length);
		let value: unknown;
		for (const operand of operands) {
			value = this.#operand(operand, dot);
			if (isTrue(value) === (name === 'or')) return value;
		}
		return last.length > 0 ? last[0] : value;
	}

	#operand(operand: Operand, dot: unknown): unknown {
		switch (operand.type) {
			case 'dot':
				return dot;
			case 'literal':
				return operand.value;
			case 'variable':
				return this.#variable(operand.name).value;
			case 'pipeline':
				return this.#pipeline(operand.pipeline, dot);
			case 'field':
				return this.#field(this.#operand(operand.of, dot), operand.name);
		}
	}

	#field(value: unknown, name: string): unknown {
		if (isObject(value) && Object.hasOwn(value, name)) return value[name];
		const isMissing = value === undefined || isObject(value);
		if (isMissing && this.#options.allowsMissingKeys) return undefined;
		if (isMissing) throw new TemplateError(`map has no entry for key "${name}"`);
		if (value === null) throw new TemplateError(`nil pointer evaluating interface {}.${name}`);
		throw new TemplateError(
			`can't evaluate field ${name} in ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
		);
	}

	#variable(name: string) {
		const found = this.#variables.findLast((variable) => variable.name === name);
		if (!found) throw new TemplateError(`undefined variable "${name}"`);
		return found;
	}

	#set(name: string, value: unknown, isNew: boolean): void {
		if (isNew) this.#variables.push({name, value});
		else this.#variable(name).value = value;
	}
}

function entriesOf(value: unknown): readonly (readonly [key: string | number, item: unknown])[] {
	if (value === null || value === undefined) return [];
	if (Array.isArray(value)) return [...value.entries()];
	if (isObject(value)) return sortedEntries(value);
	throw new TemplateError(`range can't iterate over ${textOf(value)}`);
}
