import type {Kind} from './kind.ts';

/** `pod/web-1`, one a line. */
export const formatNames = <Item>(kind: Kind<Item>, items: readonly Item[]): string =>
	items.map((item) => `${kind.singular}/${kind.nameOf(item)}\n`).join('');
