import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {explainSelection, selectionFor} from '../../../cmd/sources/reading.ts';
import {now} from '../../print/forecasts.ts';

test.for([
	{line: '', want: {type: 'chosen'}},
	{line: 'pods -A', want: {type: 'chosen'}},
	{line: 'pods --all', want: {type: 'all'}},
	{line: 'pods cart-0', want: {type: 'chosen', named: ['cart-0']}},
	{line: 'nodes n1', want: {type: 'chosen'}},
	{line: 'zones --all', want: {type: 'chosen'}},
])('"$line" reads the pods that are $want.type', ({line, want}) => {
	const options = parseCommandLine(line.split(' ').filter(Boolean));
	const {chooser: _, ...pods} = {chooser: undefined, ...selectionFor(options).pods};
	expect(pods).toEqual(want);
});

test('what is explained is read too: a pod in any namespace, a node that is well', () => {
	const {pods} = explainSelection([
		{kind: 'pods', name: 'cart-0'},
		{kind: 'nodes', name: 'n1'},
		{kind: 'zones', name: 'eu/a'},
	]);
	if (pods.type !== 'chosen') throw new Error(pods.type);
	expect(pods.named).toEqual(['cart-0']);
	expect(pods.chooser.wanted(now, () => true)).toEqual(['n1']);
});
