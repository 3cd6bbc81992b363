import {expect, test} from 'vitest';
import {proxyFor} from '../../../src/cluster/transport/proxy.ts';

test.for([
	{name: 'no proxy where none is set', server: 'https://api.test', env: {}, want: undefined},
	{
		name: 'the proxy for https',
		server: 'https://api.test',
		env: {HTTPS_PROXY: 'http://p:1'},
		want: 'http://p:1',
	},
	{name: 'in small letters too', server: 'https://api.test', env: {https_proxy: 'p:1'}, want: 'http://p:1'},
	{
		name: 'not the one for http',
		server: 'https://api.test',
		env: {HTTP_PROXY: 'http://p:1'},
		want: undefined,
	},
	{
		name: 'never for the loopback',
		server: 'https://127.0.0.1:6443',
		env: {HTTPS_PROXY: 'p:1'},
		want: undefined,
	},
	{name: 'never for localhost', server: 'https://localhost:6443', env: {HTTPS_PROXY: 'p:1'}, want: undefined},
])('proxy: $name', ({server, env, want}) => {
	expect(proxyFor(new URL(server), '', env)).toBe(want);
});

test.for([
	{noProxy: 'api.test', isExcepted: true},
	{noProxy: 'test', isExcepted: true},
	{noProxy: '.test', isExcepted: true},
	{noProxy: '*.test', isExcepted: true},
	{noProxy: '.api.test', isExcepted: false},
	{noProxy: 'i.test', isExcepted: false},
	{noProxy: 'api.test:6443', isExcepted: true},
	{noProxy: 'api.test:443', isExcepted: false},
	{noProxy: 'other, *', isExcepted: true},
	{noProxy: ',', isExcepted: false},
	{noProxy: 'API.Test', isExcepted: true},
	{noProxy: ':6443', isExcepted: false},
	{noProxy: ' api.test ,other', isExcepted: true},
	{noProxy: 'api.test.', isExcepted: false},
])('NO_PROXY=$noProxy excepts api.test:6443: $isExcepted', ({noProxy, isExcepted}) => {
	const env = {HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy};
	expect(proxyFor(new URL('https://api.test:6443'), '', env) === undefined).toBe(isExcepted);
});

test.for([
	{noProxy: '10.0.0.0/8', server: 'https://10.1.2.3', isExcepted: true},
	{noProxy: '10.0.0.0/8', server: 'https://11.1.2.3', isExcepted: false},
	{noProxy: '10.0.0.0/99', server: 'https://10.1.2.3', isExcepted: false},
	{noProxy: '10.1.2.3', server: 'https://10.1.2.3', isExcepted: true},
	{noProxy: '2.3', server: 'https://10.1.2.3', isExcepted: false},
	{noProxy: 'fd00::/8', server: 'https://[fd00::1]', isExcepted: true},
	{noProxy: 'fd00::1', server: 'https://[fd00::1]', isExcepted: true},
	{noProxy: 'FD00:0:0::1', server: 'https://[fd00::1]', isExcepted: true},
	{noProxy: '[fd00::1]:6443', server: 'https://[fd00::1]:6443', isExcepted: true},
	{noProxy: '[fd00::1]:443', server: 'https://[fd00::1]:6443', isExcepted: false},
	{noProxy: '10.1.2.3:443', server: 'https://10.1.2.3', isExcepted: true},
	{noProxy: '10.1.2.3:6443', server: 'https://10.1.2.3', isExcepted: false},
	{noProxy: '.2.3', server: 'https://10.1.2.3', isExcepted: false},
])('NO_PROXY=$noProxy excepts $server: $isExcepted', ({noProxy, server, isExcepted}) => {
	const env = {HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy};
	expect(proxyFor(new URL(server), '', env) === undefined).toBe(isExcepted);
});

test('the proxy of the kubeconfig wins over NO_PROXY', () => {
	expect(proxyFor(new URL('https://api.test'), 'http://own:1', {NO_PROXY: '*'})).toBe('http://own:1');
});
