import {expect, test} from 'vitest';
import {parseLabelSelector} from '../../../src/demo/apiserver/labelSelector.ts';

const labels = {app: 'cart', tier: 'web', 'shop.example.com/size': '10', empty: ''};

test.for<{selector: string; want: boolean}>([
	{selector: '', want: true},
	{selector: 'app=cart', want: true},
	{selector: 'app==cart', want: true},
	{selector: 'app=till', want: false},
	{selector: 'app!=till', want: true},
	{selector: 'absent!=till', want: true},
	{selector: 'app', want: true},
	{selector: 'absent', want: false},
	{selector: '!absent', want: true},
	{selector: '!app', want: false},
	{selector: 'empty=', want: true},
	{selector: 'absent=', want: false},
	{selector: 'app in (till, cart)', want: true},
	{selector: 'app in (till),tier=web', want: false},
	{selector: 'app in (till, cart), tier = web', want: true},
	{selector: 'app notin (till, cart)', want: false},
	{selector: 'app notin (till)', want: true},
	{selector: 'absent notin (till)', want: true},
	{selector: 'absent in (till)', want: false},
	{selector: 'shop.example.com/size>9', want: true},
	{selector: 'shop.example.com/size<10', want: false},
	{selector: 'absent>0', want: false},
])('`$selector` is $want', ({selector, want}) => {
	expect(parseLabelSelector(selector)(labels)).toBe(want);
});

test.for(['app=cart,', 'app in cart', '=cart', 'app=ca rt', 'app in (a'])('`%s` is refused', (selector) => {
	expect(() => parseLabelSelector(selector)).toThrow('unable to parse requirement');
});
