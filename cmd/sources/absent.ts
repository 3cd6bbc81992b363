import type {Cluster} from '../../src/cluster/cluster.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';

/** What kubectl says where there is nothing at all. */
export const nothing = 'No resources found';

/** What of the request does not exist, as an empty table would look like good news; empty if everything may exist. */
export type AbsentWords = () => Promise<string>;

/** Checks the namespace and selectors. Asks the cluster, as only pods of nodes in trouble were read. */
export async function absenceIn(
	cluster: Cluster,
	namespace: string | undefined,
	{flags}: Options,
): Promise<string> {
	// A failed check is ignored: the table is printed already.
	const isSo = (lacks: Promise<boolean>) =>
		lacks.catch((error: unknown) => {
			if (error instanceof UserError) return false;
			throw error;
		});
	if (namespace !== undefined && (await isSo(cluster.lacksNamespace(namespace))))
		return `There is no namespace ${JSON.stringify(namespace)}`;
	const {selector: labelSelector = '', fieldSelector = ''} = flags;
	if (labelSelector === '' && fieldSelector === '') return '';
	const selectors = {...(labelSelector && {labelSelector}), ...(fieldSelector && {fieldSelector})};
	return (await isSo(cluster.lacksPods(namespace, selectors))) ? nothingIn(namespace) : '';
}

/** The same for files, which hold all objects. */
export const absenceInFiles = (namespace: string | undefined, {flags}: Options) =>
	flags.selector || flags.fieldSelector ? nothingIn(namespace) : '';

const nothingIn = (namespace: string | undefined) =>
	namespace === undefined ? nothing : `${nothing} in ${namespace} namespace`;
