import {isFunction} from './goFunctions.ts';
import type {Operand, Pipeline, PipelineCommand} from './goTemplateNode.ts';
import type {TemplateToken} from './goTemplateTokens.ts';
import {TemplateError} from './templateError.ts';

const constants: ReadonlyMap<string, boolean | null> = new Map([
	['true', true],
	['false', false],
	['nil', null],
]);

/** Parses the pipeline of one action. */
export class PipelineParser {
	readonly #tokens: readonly TemplateToken[];
	#at = 0;

	constructor(tokens: readonly TemplateToken[]) {
		this.#tokens = tokens;
	}

	/** @throws TemplateError if the tokens are not exactly one pipeline */
	whole(): Pipeline {
		const pipeline = this.#pipeline();
		const more = this.#tokens[this.#at];
		if (more) throw unexpected(more);
		return pipeline;
	}

	#pipeline(): Pipeline {
		const head = this.#variables();
		const commands = [this.#command()];
		while (this.#skip('|')) commands.push(this.#command());
		const [constant] = commands.slice(1).filter(({type}) => type === 'value');
		if (constant) throw new TemplateError('a pipeline hands its value to a function, and nothing else');
		return {...head, commands};
	}

	// `$x :=`, `$i, $x :=`, `$x =`. Looks ahead, because a variable may also be an operand.
	#variables(): Pick<Pipeline, 'variables' | 'declares'> {
		const start = this.#at;
		const variables: string[] = [];
		do {
			this.#space();
			const token = this.#tokens[this.#at];
			if (token?.type !== 'variable') break;
			variables.push(token.text);
			this.#at++;
			this.#space();
		} while (variables.length < 2 && this.#skip(','));
		const declares = this.#skip(':=');
		if (variables.length > 0 && (declares || this.#skip('='))) return {variables, declares};
		this.#at = start;
		return {variables: [], declares: false};
	}

	#command(): PipelineCommand {
		this.#space();
		const [first] = this.#tokens.slice(this.#at, this.#at + 1);
		if (first?.type !== 'word' || constants.has(first.text)) {
			const operand = this.#operand();
			this.#space();
			if (this.#isAtOperand()) throw new TemplateError('only a function takes arguments');
			return {type: 'value', operand};
		}
		if (!isFunction(first.text)) throw noFunction(first.text);
		this.#at++;
		const operands: Operand[] = [];
		for (this.#space(); this.#isAtOperand(); this.#space()) operands.push(this.#operand());
		return {type: 'call', name: first.text, arguments: operands};
	}

	#isAtOperand(): boolean {
		const token = this.#tokens[this.#at];
		return token !== undefined && (token.type !== 'symbol' || token.text === '(' || token.text === '.');
	}

	#operand(): Operand {
		let operand = this.#term();
		for (let token = this.#tokens[this.#at]; token?.type === 'field'; token = this.#tokens[this.#at]) {
			operand = {type: 'field', of: operand, name: token.text.slice(1)};
			this.#at++;
		}
		return operand;
	}

	#term(): Operand {
		const token = this.#tokens[this.#at];
		if (!token) throw new TemplateError('missing value for command');
		this.#at++;
		switch (token.type) {
			case 'literal':
				return {type: 'literal', value: token.value};
			case 'field':
				return {type: 'field', of: {type: 'dot'}, name: token.text.slice(1)};
			case 'variable':
				return {type: 'variable', name: token.text};
			case 'word': {
				const value = constants.get(token.text);
				if (value !== undefined) return {type: 'literal', value};
				if (!isFunction(token.text)) throw noFunction(token.text);
				const call: PipelineCommand = {type: 'call', name: token.text, arguments: []};
				return {type: 'pipeline', pipeline: {variables: [], declares: false, commands: [call]}};
			}
			default:
				return this.#symbol(token);
		}
	}

	#symbol(token: TemplateToken): Operand {
		if (token.text === '.') return {type: 'dot'};
		if (token.text !== '(') throw unexpected(token);
		const pipeline = this.#pipeline();
		if (!this.#skip(')')) throw new TemplateError('unclosed left paren');
		return {type: 'pipeline', pipeline};
	}

	#space(): void {
		if (this.#tokens[this.#at]?.type === 'space') this.#at++;
	}

	#skip(symbol: string): boolean {
		this.#space();
		const token = this.#tokens[this.#at];
		if (token?.type !== 'symbol' || token.text !== symbol) return false;
		this.#at++;
		return true;
	}
}

const unsupported = ['call', 'html', 'js', 'urlquery'];

const noFunction = (name: string) =>
	new TemplateError(`function "${name}" ${unsupported.includes(name) ? 'is not supported' : 'not defined'}`);

const unexpected = ({text}: TemplateToken) =>
	new TemplateError(`unexpected ${JSON.stringify(text)} in an action`);
