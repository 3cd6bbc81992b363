/** A piece of a label selector: a symbol, a word, or the end, which is empty. */
export type Token = {readonly type: 'symbol' | 'word' | 'end'; readonly text: string};

// A symbol is what Go's lexer joins: `=`, `==`, `!=`, `!`, `(`, `)`, `,`, `<`, `>`. All else up to the next is a word.
const pattern = /\s*(?:(==|!=|[=!(),<>])|([^\s=!(),<>]+))/gy;

/**
 * The tokens of a label selector, the end included.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Lexer
 */
export function selectorTokens(text: string): Token[] {
	const tokens = [...text.matchAll(pattern)].map(
		([, symbol, word = '']): Token =>
			symbol === undefined ? {type: 'word', text: word} : {type: 'symbol', text: symbol},
	);
	return [...tokens, {type: 'end', text: ''}];
}
