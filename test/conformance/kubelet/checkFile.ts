import {parseExactJson} from '../../../src/cluster/codec/rawJson.ts';
import {checkTable, isTable} from './checkTable.ts';
import {checkVector} from './checkVector.ts';
import {isKubeletVector} from './vector.ts';

/** Whether a file's content is a golden trace or a table of a kubelet's eviction manager. */
export function isKubeletFile(content: unknown): boolean {
	return isKubeletVector(content) || isTable(content);
}

/** Checks such a file from its text, because its amounts are uint64. @returns the first difference, or undefined */
export function checkKubeletFile(text: string): string | undefined {
	const content = parseExactJson(text);
	if (isKubeletVector(content)) return checkVector(content);
	return isTable(content) ? checkTable(content) : 'neither a trace nor a table';
}
