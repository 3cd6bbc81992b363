import type {Instant} from '../../src/core/time/instant.ts';
import {seenWords} from '../../src/print/seenAt.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from './terminal.ts';

/** Whether people read it. */
export const isTable = ({output}: Pick<Options, 'output'>): boolean =>
	output === 'table' || output === 'wide';

/** How much of a table is shown, and in which form. */
export const tableOptions = (
	{output, showHeaders, timeZone}: Pick<Options, 'output' | 'showHeaders' | 'timeZone'>,
	{width}: Pick<Terminal, 'width'>,
): TableOptions => ({isWide: output === 'wide', showHeaders, timeZone, width});

/** As of when a table is, as a line below it; empty in a pipe, whose reader takes all lines for rows or errors. */
export const seenText = (
	now: Instant,
	{timeZone}: Pick<Options, 'timeZone'>,
	{width}: Pick<Terminal, 'width'>,
): string => (width === undefined ? '' : `${seenWords(now, timeZone)}\n`);
