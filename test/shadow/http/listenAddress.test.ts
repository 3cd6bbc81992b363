import {expect, test} from 'vitest';
import {parseListenAddress} from '../../../src/shadow/http/listenAddress.ts';

test.for([
	{text: '127.0.0.1:8080', want: {host: '127.0.0.1', port: 8080}},
	{text: ':8080', want: {host: undefined, port: 8080}},
	{text: 'localhost:0', want: {host: 'localhost', port: 0}},
	{text: '[::1]:9', want: {host: '::1', port: 9}},
	{text: '8080', want: undefined},
	{text: 'localhost', want: undefined},
	{text: '::1:9', want: undefined},
	{text: ':70000', want: undefined},
	{text: 'http://localhost:1', want: undefined},
])('$text', ({text, want}) => {
	expect(parseListenAddress(text)).toEqual(want);
});
