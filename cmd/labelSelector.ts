import {selectorTokens, type Token} from './selectorTokens.ts';
import {usageError} from './usageError.ts';

/** Whether labels satisfy a selector. */
export type LabelMatcher = (labels: Readonly<Record<string, string>>) => boolean;

const operators = ['in', 'notin', '=', '==', '!=', '>', '<'];

/**
 * Reads a label selector: `app=cart,tier!=web,zone in (a,b),!canary`. An empty one selects everything.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
 */
export function parseLabelSelector(text: string): LabelMatcher {
	const parser = new SelectorParser(text);
	const matchers = parser.requirements();
	return (labels) => matchers.every((matches) => matches(labels));
}

class SelectorParser {
	readonly #tokens: Token[];

	constructor(text: string) {
		this.#tokens = selectorTokens(text);
	}

	requirements(): LabelMatcher[] {
		const matchers: LabelMatcher[] = [];
		if (this.#next().type === 'end') return matchers;
		for (;;) {
			matchers.push(this.#requirement());
			const separator = this.#take();
			if (separator.type === 'end') return matchers;
			if (separator.text !== ',') throw found(separator, "',' or 'end of string'");
			if (this.#next().type !== 'word' && this.#next().text !== '!') {
				throw found(this.#next(), "identifier after ','");
			}
		}
	}

	#requirement(): LabelMatcher {
		const isNegated = this.#next().text === '!';
		if (isNegated) this.#take();
		const key = this.#word('identifier');
		const isAlone = this.#next().type === 'end' || this.#next().text === ',';
		if (isNegated) return (labels) => !Object.hasOwn(labels, key);
		if (isAlone) return (labels) => Object.hasOwn(labels, key);
		const operator = this.#take();
		if (!operators.includes(operator.text)) throw found(operator, operators.join(', '));
		if (operator.text === 'in' || operator.text === 'notin') {
			const values = this.#values();
			// An absent label is in no set, so notin selects it.
			return (labels) => isIn(labels, key, values) === (operator.text === 'in');
		}
		return this.#comparison(key, operator.text);
	}

	#comparison(key: string, operator: string): LabelMatcher {
		const isEmpty = this.#next().type === 'end' || this.#next().text === ',';
		const value = isEmpty ? '' : this.#word('identifier');
		switch (operator) {
			case '!=':
				return (labels) => !isIn(labels, key, [value]);
			case '>':
			case '<': {
				const limit = integer(value);
				if (limit === undefined) throw cannotParse(`for '${operator}', the value must be an integer`);
				const sign = operator === '>' ? 1 : -1;
				return (labels) => (integer(labels[key] ?? '') ?? Number.NaN) * sign > limit * sign;
			}
			default:
				return (labels) => isIn(labels, key, [value]);
		}
	}

	// Between the parentheses an empty place is an empty value, as in `(a,)`; nothing at all is no value.
	#values(): readonly string[] {
		const open = this.#take();
		if (open.text !== '(') throw found(open, "'('");
		const values: string[] = [];
		while (this.#next().text !== ')') {
			const isEmpty = this.#next().text === ',';
			values.push(isEmpty ? '' : this.#word("',', ')' or identifier"));
			if (this.#next().text === ')') break;
			const comma = this.#take();
			if (comma.text !== ',') throw found(comma, "',' or ')'");
			if (this.#next().text === ')') values.push('');
		}
		this.#take();
		return values;
	}

	#word(expected: string): string {
		const token = this.#take();
		if (token.type !== 'word') throw found(token, expected);
		return token.text;
	}

	#next = (): Token => this.#tokens[0] ?? {type: 'end', text: ''};

	#take(): Token {
		return this.#tokens.shift() ?? {type: 'end', text: ''};
	}
}

const isIn = (labels: Readonly<Record<string, string>>, key: string, values: readonly string[]): boolean =>
	Object.hasOwn(labels, key) && values.includes(labels[key] ?? '');

const integer = (text: string): number | undefined => (/^[-+]?\d+$/.test(text) ? Number(text) : undefined);

const found = (token: Token, expected: string) => cannotParse(`found '${token.text}', expected: ${expected}`);

const cannotParse = (reason: string) => usageError(`unable to parse requirement: ${reason}`);
