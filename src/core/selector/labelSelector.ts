import {SelectorError} from './selectorError.ts';

export type LabelMatcher = (labels: Readonly<Record<string, string>>) => boolean;

const operators = ['in', 'notin', '=', '==', '!=', '>', '<'];
const operatorNames = 'in, notin, =, ==, !=, gt, lt';

const namePart = '[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?';
const labelKey = new RegExp(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?${namePart}$`);
const labelValue = new RegExp(`^(${namePart})?$`);

/** A token of a label selector: a symbol, a word, or the end, which is empty. */
type SelectorToken = {readonly type: 'symbol' | 'word' | 'end'; readonly text: string};

// Symbols are those of Go's lexer: `=`, `==`, `!=`, `!`, `(`, `)`, `,`, `<`, `>`. Anything up to the next one is a word.
const tokenPattern = /\s*(?:(==|!=|[=!(),<>])|([^\s=!(),<>]+))/gy;

/** @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Lexer */
const tokensOf = (text: string): SelectorToken[] =>
	[...text.matchAll(tokenPattern)].map(
		([, symbol, word = '']): SelectorToken =>
			symbol === undefined ? {type: 'word', text: word} : {type: 'symbol', text: symbol},
	);

/**
 * Parses a label selector: `app=cart,tier!=web,zone in (a,b),!canary`. An empty one selects everything.
 *
 * @throws SelectorError with the API server's message if it is invalid
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
 */
export function parseLabelSelector(text: string): LabelMatcher {
	const parser = new SelectorParser(text);
	const matchers = parser.requirements();
	return (labels) => matchers.every((matches) => matches(labels));
}

class SelectorParser {
	readonly #tokens: SelectorToken[];

	constructor(text: string) {
		this.#tokens = tokensOf(text);
	}

	requirements(): LabelMatcher[] {
		const matchers: LabelMatcher[] = [];
		if (this.#next().type === 'end') return matchers;
		if (!this.#startsRequirement()) throw unexpected(this.#next(), "!, identifier, or 'end of string'");
		for (;;) {
			matchers.push(this.#requirement());
			const separator = this.#take();
			if (separator.type === 'end') return matchers;
			if (separator.text !== ',') throw unexpected(separator, "',' or 'end of string'");
			if (!this.#startsRequirement()) throw unexpected(this.#next(), "identifier after ','");
		}
	}

	#startsRequirement = (): boolean => this.#next().type === 'word' || this.#next().text === '!';

	#requirement(): LabelMatcher {
		const isNegated = this.#next().text === '!';
		if (isNegated) this.#take();
		const key = this.#word('identifier');
		if (!labelKey.test(key)) throw cannotParse(`${JSON.stringify(key)} is not a label key`);
		const isAlone = this.#next().type === 'end' || this.#next().text === ',';
		if (isNegated) return (labels) => !Object.hasOwn(labels, key);
		if (isAlone) return (labels) => Object.hasOwn(labels, key);
		const operator = this.#take();
		if (!operators.includes(operator.text)) throw inRequirement(operator, operatorNames);
		if (operator.text === 'in' || operator.text === 'notin') {
			const values = this.#values();
			// An absent label is in no set, so notin selects it.
			return (labels) => isIn(labels, key, values) === (operator.text === 'in');
		}
		return this.#comparison(key, operator.text);
	}

	#comparison(key: string, operator: string): LabelMatcher {
		const isEmpty = this.#next().type === 'end' || this.#next().text === ',';
		const value = isEmpty ? '' : this.#value('identifier');
		switch (operator) {
			case '!=':
				return (labels) => !isIn(labels, key, [value]);
			case '>':
			case '<': {
				const limit = integer(value);
				if (limit === undefined) throw cannotParse("for 'Gt', 'Lt' operators, the value must be an integer");
				const sign = operator === '>' ? 1 : -1;
				return (labels) => (integer(labels[key] ?? '') ?? Number.NaN) * sign > limit * sign;
			}
			default:
				return (labels) => isIn(labels, key, [value]);
		}
	}

	// A missing value between the parentheses is an empty value, as in `(a,)`, and even in `()`.
	#values(): readonly string[] {
		const open = this.#take();
		if (open.text !== '(') throw inRequirement(open, "'('");
		const values: string[] = [];
		for (;;) {
			const isEmpty = this.#next().text === ',' || this.#next().text === ')';
			values.push(isEmpty ? '' : this.#value("',', ')' or identifier"));
			const separator = this.#take();
			if (separator.text === ')') return values;
			if (separator.text !== ',') throw inRequirement(separator, "',' or ')'");
		}
	}

	#value(expected: string): string {
		const value = this.#word(expected);
		if (!labelValue.test(value)) throw cannotParse(`${JSON.stringify(value)} is not a label value`);
		return value;
	}

	#word(expected: string): string {
		const token = this.#take();
		if (token.type !== 'word') throw inRequirement(token, expected);
		return token.text;
	}

	#next = (): SelectorToken => this.#tokens[0] ?? {type: 'end', text: ''};

	#take(): SelectorToken {
		return this.#tokens.shift() ?? {type: 'end', text: ''};
	}
}

const isIn = (labels: Readonly<Record<string, string>>, key: string, values: readonly string[]) =>
	Object.hasOwn(labels, key) && values.includes(labels[key] ?? '');

const integer = (text: string): number | undefined => (/^[-+]?\d+$/.test(text) ? Number(text) : undefined);

const unexpected = (token: SelectorToken, expected: string) =>
	new SelectorError(`found '${token.text}', expected: ${expected}`);

const inRequirement = (token: SelectorToken, expected: string) =>
	cannotParse(`found '${token.text}', expected: ${expected}`);

const cannotParse = (reason: string) => new SelectorError(`unable to parse requirement: ${reason}`);
