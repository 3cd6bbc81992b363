import {expect, test} from 'vitest';
import {didYouMean, podSuggestion} from '../../../cmd/sources/notFound.ts';
import {aPodForecast} from '../../print/forecasts.ts';

const owner = {kind: 'StatefulSet', name: 'cart', uid: 'cart'};
const pods = [
	aPodForecast({name: 'cart-0', namespace: 'shop', owner}),
	aPodForecast({name: 'web-7f9c', namespace: 'bank', owner: undefined}),
	aPodForecast({name: 'etcd-cp1', namespace: 'kube-system', owner: {kind: 'Node', name: 'cp1', uid: 'cp1'}}),
	aPodForecast({name: 'web-7f9d', namespace: 'shop', owner: undefined}),
];

test.for([
	{
		name: 'a pod of another namespace',
		word: 'cart-0',
		want: {what: 'there is one in shop', hint: 'choose its namespace with -n shop'},
	},
	{
		name: 'the workload of this name',
		word: 'cart',
		want: {what: 'there is a statefulset of this name in shop', hint: 'try statefulset/cart -n shop'},
	},
	{
		name: 'a workload that is misspelt',
		word: 'crat',
		want: {what: 'did you mean statefulset cart in shop?', hint: 'try statefulset/cart -n shop'},
	},
	{
		name: 'the beginning of a name, first in the namespace that is meant',
		word: 'web',
		want: {what: 'did you mean pod web-7f9c in bank?', hint: 'try web-7f9c -n bank'},
	},
	{name: 'nothing like it', word: 'prometheus', want: undefined},
	{name: 'not the node of a static pod, which has no namespace', word: 'cp2', want: undefined},
])('by the name of a pod that is not there is meant: $name', ({word, want}) => {
	const meant = podSuggestion(word, pods, 'bank');
	expect(meant && {what: meant.what, hint: meant.hint}).toEqual(want);
});

test('a zone is found without its region', () => {
	expect(didYouMean('b', ['eu/a', 'eu/b', 'us/b'])).toBe('; did you mean eu/b or us/b?');
	expect(didYouMean('c', ['eu/a'])).toBe('');
});
