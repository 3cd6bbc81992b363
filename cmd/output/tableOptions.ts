import type {Instant} from '../../src/core/time/instant.ts';
import {AnswerPage} from '../../src/print/answerPage.ts';
import type {TableOptions} from '../../src/print/tables/table.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from './terminal.ts';

/** Whether the output is for people. */
export const isTable = ({output}: Options) => output === 'table' || output === 'wide';

export const tableOptions = ({output, showHeaders, timeZone}: Options, {width}: Terminal): TableOptions => ({
	isWide: output === 'wide',
	showHeaders,
	timeZone,
	width,
});

/** The time of a table, as a line below it; empty in a pipe, where every line is a row. */
export const seenText = (now: Instant, {timeZone}: Options, {width}: Terminal) =>
	width === undefined ? '' : `${new AnswerPage(now, timeZone).seen}\n`;
