import type {Instant} from '../../src/core/time/instant.ts';
import {AnswerPage} from '../../src/print/answerPage.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from './terminal.ts';

/** Whether the output is for people. */
export const isTable = ({output}: Options) => output === 'table' || output === 'wide';

/** How an answer is written for people. */
export const tableOptions = (options: Options, {width}: Terminal) => ({
	isWide: options.output === 'wide',
	showHeaders: options.showHeaders,
	timeZone: options.timeZone,
	connection: connectionOf(options),
	width,
});

/** The time of a table, as a line below it; empty in a pipe, where every line is a row. */
export const seenText = (now: Instant, options: Options, {width}: Terminal) =>
	width === undefined ? '' : `${new AnswerPage(now, options).seen}\n`;
