import type {Cluster} from '../../src/cluster/cluster.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {nothing} from './listings.ts';

/** Tells what of a question is not there at all: an empty table is no good news then. Empty where all of it is, or may be. */
export type AbsentWords = () => Promise<string>;

/** The namespace, or all pods that selectors ask for; of a cluster only pods of nodes in trouble are read, so that it is asked. */
export const absenceIn =
	(
		cluster: Pick<Cluster, 'lacksNamespace' | 'lacksPods'>,
		namespace: string | undefined,
		{flags}: Pick<Options, 'flags'>,
	): AbsentWords =>
	async () => {
		// One that gets no answer is worth no error: the table has been printed.
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
	};

/** The same in files, which hold all there is to choose from. */
export const absenceInFiles =
	(namespace: string | undefined, {flags}: Pick<Options, 'flags'>): AbsentWords =>
	async () =>
		flags.selector || flags.fieldSelector ? nothingIn(namespace) : '';

const nothingIn = (namespace: string | undefined): string =>
	namespace === undefined ? nothing : `${nothing} in ${namespace} namespace`;
