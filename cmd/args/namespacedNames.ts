import type {CommandSet} from './commandSet.ts';
import type {ArgumentList} from './kubectlGrammar.ts';
import {namesTarget, workloadKindsOf} from './targets.ts';
import {usageError} from './usageError.ts';

/**
 * Takes the namespace out of names in the form of outputs, `shop/cart-0` or `shop/deployment/web`, as if `-n` had given it.
 *
 * @throws UserError if the names are of several namespaces, or `-n` gave another one
 */
export function withoutNamespaces(line: ArgumentList, commands: CommandSet): ArgumentList {
	const {positionals, flags} = line;
	const at = positionals[0] === 'get' ? 2 : 1;
	if (!namesPods(positionals[at - 1] ?? '', commands)) return line;
	const names = positionals.slice(at);
	const parts = names.map(partsOf);
	const [named] = parts.flatMap(({namespace}) => namespace ?? []);
	if (named === undefined || names[0] === 'zone' || names[0] === 'zones') return line;
	// A kind before names has no namespace.
	const stray = names.find(
		(name, index) => parts[index]?.namespace !== named && !(index === 0 && namesTarget(`${name}/`)),
	);
	if (stray !== undefined)
		throw usageError(
			`not all names are in namespace ${named}, as ${stray}: want a command for each namespace`,
		);
	const [, given] = flags.find(([flag]) => flag === 'namespace') ?? [];
	if (given && given !== named)
		throw usageError(`names are in namespace ${named}, but --namespace is ${given}`);
	return {
		positionals: [...positionals.slice(0, at), ...parts.map(({name}) => name)],
		flags: [...flags.filter(([flag]) => !scopes.includes(flag)), ['namespace', named]],
	};
}

const scopes: readonly string[] = ['namespace', 'all-namespaces'];

/** Whether names after this word are of pods, or of workloads. */
function namesPods(word: string, commands: CommandSet): boolean {
	const command = commands.find(word);
	const completes = command && commands.of(command).completes;
	return completes === 'targets' || completes === 'pods' || workloadKindsOf(word).length > 0;
}

/** `shop` and `cart-0`, or `deployment/web`; no namespace if the first part is a kind, or there are other parts. */
function partsOf(text: string): {readonly namespace?: string; readonly name: string} {
	const [namespace = '', ...rest] = text.split('/');
	const name = rest.join('/');
	const isOne = rest.length === 1 || (rest.length === 2 && namesTarget(name));
	return isOne && !rest.includes('') && namespace !== '' && !namesTarget(text)
		? {namespace, name}
		: {name: text};
}
