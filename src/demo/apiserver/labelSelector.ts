import {badRequest} from './status.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether labels satisfy a selector. */
export type LabelMatcher = (labels: Labels) => boolean;

const key = '([A-Za-z0-9][-A-Za-z0-9_./]*)';
const existence = new RegExp(`^(!?)\\s*${key}$`);
const comparison = new RegExp(`^${key}\\s*(==|=|!=|<|>)\\s*([-A-Za-z0-9_.]*)$`);
const membership = new RegExp(`^${key}\\s+(in|notin)\\s*\\(([-A-Za-z0-9_.,\\s]*)\\)$`);

/**
 * Reads an equality-based or set-based label selector: `app=cart,tier in (web, api),!canary`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Parse
 */
export function parseLabelSelector(selector: string): LabelMatcher {
	if (selector.trim() === '') return () => true;
	// Commas separate requirements, but inside parentheses they separate values.
	const requirements = selector.split(/,(?![^(]*\))/).map((text) => parseRequirement(text.trim()));
	return (labels) => requirements.every((matches) => matches(labels));
}

function parseRequirement(text: string): LabelMatcher {
	const member = membership.exec(text);
	if (member) return matchMembership(member[1] ?? '', member[2] === 'in', member[3] ?? '');
	const compared = comparison.exec(text);
	if (compared) return matchComparison(compared[1] ?? '', compared[2] ?? '', compared[3] ?? '');
	const exists = existence.exec(text);
	if (exists) return (labels) => Object.hasOwn(labels, exists[2] ?? '') === (exists[1] === '');
	throw badRequest(`unable to parse requirement: ${JSON.stringify(text)}`);
}

function matchMembership(name: string, isWanted: boolean, list: string): LabelMatcher {
	const values = new Set(list.split(',').map((value) => value.trim()));
	// An absent label is in no set, so notin selects it.
	return (labels) => (Object.hasOwn(labels, name) && values.has(labels[name] ?? '')) === isWanted;
}

function matchComparison(name: string, operator: string, value: string): LabelMatcher {
	switch (operator) {
		case '!=':
			return (labels) => labels[name] !== value;
		case '<':
			return (labels) => Number.parseInt(labels[name] ?? '', 10) < Number(value);
		case '>':
			return (labels) => Number.parseInt(labels[name] ?? '', 10) > Number(value);
		default:
			return (labels) => labels[name] === value;
	}
}
