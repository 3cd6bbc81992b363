import {kindOf as listedKindOf} from '../args/kinds.ts';
import {usageError} from '../args/usageError.ts';

/** What a word of the command line names. The namespace of a pod is found later. */
export type NamedTarget = {readonly kind: 'pod' | 'node' | 'zone'; readonly name: string};

const kinds = {pods: 'pod', nodes: 'node', zones: 'zone'} as const;

const example = 'want pod/NAME, node/NAME or zone/NAME';

/**
 * Reads the targets of `explain`: `pod/web-1 node/n1 zone/eu/a`, or as with kubectl `pod web-1 web-2`. The name of a
 * zone holds slashes itself.
 *
 * @throws UserError where one cannot be understood.
 */
export function readTargets(words: readonly string[]): readonly NamedTarget[] {
	const [first, ...rest] = words;
	if (first === undefined) throw usageError(`nothing to explain: ${example}`);
	const kind = kindOf(first);
	if (kind !== undefined) {
		if (rest.length === 0) throw usageError(`which ${kind}? ${example}`);
		return rest.map((word) => namedTarget(kind, withoutKind(word, kind)));
	}
	return words.map(readTarget);
}

function readTarget(word: string): NamedTarget {
	const slash = word.indexOf('/');
	if (slash < 0) throw usageError(`"${word}" has no kind: ${example}`);
	const kind = kindOf(word.slice(0, slash));
	if (kind === undefined) throw usageError(`cannot explain "${word.slice(0, slash)}": ${example}`);
	return namedTarget(kind, word.slice(slash + 1));
}

function namedTarget(kind: NamedTarget['kind'], name: string): NamedTarget {
	if (name === '') throw usageError(`which ${kind}? ${example}`);
	if (kind !== 'zone' && name.includes('/')) {
		throw usageError(
			kind === 'pod'
				? `"${name}" is no name of a pod; its namespace is chosen with --namespace`
				: `"${name}" is no name of a node`,
		);
	}
	return {kind, name};
}

function kindOf(word: string): NamedTarget['kind'] | undefined {
	const listed = listedKindOf(word);
	return listed && kinds[listed];
}

// `pod pod/web-1` names one pod, as with kubectl.
function withoutKind(word: string, kind: NamedTarget['kind']): string {
	const slash = word.indexOf('/');
	return slash > 0 && kindOf(word.slice(0, slash)) === kind ? word.slice(slash + 1) : word;
}
