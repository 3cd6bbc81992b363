import {escapeForTerminal} from './escape.ts';
import type {Kind} from './kind.ts';

/** `pod/web-1`, one a line. */
export const formatNames = <Item>(kind: Kind<Item>, items: readonly Item[]): string =>
	items.map((item) => `${kind.singular}/${escapeForTerminal(kind.nameOf(item))}\n`).join('');
