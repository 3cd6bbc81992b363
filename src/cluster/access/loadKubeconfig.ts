import {delimiter, join} from 'node:path';
import {UserError} from '../../text/userError.ts';
import type {Kubeconfig} from './kubeconfig.ts';
import {readKubeconfigFile} from './kubeconfigFile.ts';
import type {Surroundings} from './surroundings.ts';

/**
 * Reads the kubeconfig as kubectl does: the file of `--kubeconfig`, else those of KUBECONFIG, else ~/.kube/config.
 * Of several files, the first to name a context, cluster or user defines it. Files that do not exist are passed
 * over, except the one asked for by flag.
 *
 * @throws UserError where a file cannot be read or understood.
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/clientcmd/loader.go Load
 */
export async function loadKubeconfig(
	flag: string | undefined,
	surroundings: Surroundings,
): Promise<Kubeconfig> {
	if (flag) return readKubeconfigFile(flag);
	const files = await Promise.all(kubeconfigFiles(surroundings).map(readIfPresent));
	// A Map built of pairs keeps the last one of each name, hence the reversal.
	const found = files.filter((file) => file !== undefined).toReversed();
	return {
		currentContext: found.findLast(({currentContext}) => currentContext !== '')?.currentContext ?? '',
		clusters: new Map(found.flatMap(({clusters}) => [...clusters])),
		users: new Map(found.flatMap(({users}) => [...users])),
		contexts: new Map(found.flatMap(({contexts}) => [...contexts])),
	};
}

/** The files that are looked at without `--kubeconfig`, first one first. */
export function kubeconfigFiles({env, homeDirectory}: Surroundings): readonly string[] {
	const listed = env['KUBECONFIG'];
	if (!listed) return [join(homeDirectory, '.kube', 'config')];
	return [...new Set(listed.split(delimiter).filter((file) => file !== ''))];
}

async function readIfPresent(file: string): Promise<Kubeconfig | undefined> {
	try {
		return await readKubeconfigFile(file);
	} catch (error) {
		if (isMissingFile(error)) return undefined;
		throw error;
	}
}

const isMissingFile = (error: unknown) =>
	error instanceof UserError &&
	error.cause instanceof Error &&
	'code' in error.cause &&
	error.cause.code === 'ENOENT';
