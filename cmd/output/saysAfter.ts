import type {Options} from '../args/options.ts';

/** Whether it is printed what becomes of a pod: only there, more is read for it. */
export const saysAfter = ({command, output}: Pick<Options, 'command' | 'output'>): boolean =>
	(command === undefined || command === 'pods' || command === 'replay') &&
	output !== 'table' &&
	output !== 'name';
