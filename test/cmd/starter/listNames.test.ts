import {expect, test} from 'vitest';
import {commandTable} from '../../../cmd/commandTable.ts';
import {listNames} from '../../../cmd/starter/listNames.ts';

test('the starter knows lists by all of their names', () => {
	const lists = (['pods', 'nodes', 'zones'] as const).flatMap((name) =>
		[name, ...commandTable[name].aliases].map((word) => [word, name]),
	);
	expect([...listNames]).toEqual(lists);
});
