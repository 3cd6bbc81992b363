import {expect, test} from 'vitest';
import {keepSecret, opaqueWords, redact, withoutOpaqueWords} from '../../src/text/redact.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJodXNoIn0.hush_hush-hush';

test.for([
	{text: 'Authorization: Bearer hush', want: 'Authorization: [removed]'},
	{text: 'sent Bearer hush.hush-hush/hush= to it', want: 'sent Bearer [removed] to it'},
	{text: '"authorization": "Basic aHVzaDpodXNo"', want: '"authorization": "[removed]"'},
	{text: `got ${jwt} back`, want: 'got [removed] back'},
	{text: 'oc login --token=sha256~hush_HUSH-1', want: 'oc login --token=[removed]'},
	{text: 'sha256~hush_HUSH-1 is over', want: '[removed] is over'},
	{text: 'k8s-aws-v1.aHR0cHM6Ly9odXNo', want: '[removed]'},
	{
		text: 'kubelogin --oidc-client-secret=hush --oidc-issuer=a',
		want: 'kubelogin --oidc-client-secret=[removed] --oidc-issuer=a',
	},
	{text: 'kubelogin --oidc-client-secret hush4711', want: 'kubelogin --oidc-client-secret [removed]'},
	{text: 'GET https://a/b?token=hush&limit=5', want: 'GET https://a/b?token=[removed]&limit=5'},
	{text: 'GET https://a/b?access_token=hush&limit=5', want: 'GET https://a/b?access_token=[removed]&limit=5'},
	{text: 'http://me:hush@proxy:3128/x', want: 'http://[removed]@proxy:3128/x'},
	{
		text: 'the server "https://me:hush/hu@sh@host:6443" is',
		want: 'the server "https://[removed]@host:6443" is',
	},
	{text: 'proxy "me:hush@proxy:3128" is no URL', want: 'proxy "[removed]@proxy:3128" is no URL'},
	{
		text: '{"token":"hush","clientKeyData": "hush hush"}',
		want: '{"token":"[removed]","clientKeyData": "[removed]"}',
	},
	{text: 'user:\n  password: hush\n  name: a', want: 'user:\n  password: [removed]\n  name: a'},
	{text: "password='hush hush'; next", want: "password='[removed]'; next"},
	{text: 'client-key-data: LS0tLS1CRUdJTiBSU0E=', want: 'client-key-data: [removed]'},
	{text: 'Set-Cookie: session=hush; Path=/', want: 'Set-Cookie: [removed]'},
	{
		text: 'a\n-----BEGIN RSA PRIVATE KEY-----\nhush\n-----END RSA PRIVATE KEY-----\nb',
		want: 'a\n[removed]\nb',
	},
	{text: '-----BEGIN PRIVATE KEY-----\nhush cut', want: '[removed]'},
])('$text', ({text, want}) => {
	expect(redact(text)).toBe(want);
});

test.for([
	'the server does not accept the credentials (401 Unauthorized)',
	'pods is forbidden: User "system:serviceaccount:a:b" cannot list resource "pods"',
	'cannot read the token in /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory',
	'name an existing file with --controller-metrics-token-file=/etc/token',
	'use --token or --kubeconfig; basic authentication is off',
	'https://10.0.0.1:6443/api/v1/pods?limit=500&fieldSelector=spec.nodeName%3Dn1',
	'image nginx:1.27@sha256:0123456789abcdef',
	'the next token: expired',
	'node eu-west-1a/n1 was tainted at 12:00:00, 300 tokens=5 left',
])('what is no secret stays: %s', (text) => {
	expect(redact(text)).toBe(text);
});

test('a credential that was read is found wherever it stands', () => {
	keepSecret('correct horse battery', undefined, 'abc', ' padded-secret\n');
	expect(redact('denied for correct horse battery, and padded-secret; abc stays')).toBe(
		'denied for [removed], and [removed]; abc stays',
	);
});

test.for([
	{text: `${'token'.repeat(40)}=hush`, want: `${'token'.repeat(40)}=[removed]`},
	{text: 'token-file password=hush', want: 'token-file password=[removed]'},
	{text: 'token.yaml:12: no such field', want: 'token.yaml:12: no such field'},
	{text: 'the token. password: hush', want: 'the token. password: [removed]'},
])('$text: each word with a name of secrets is judged by its last', ({text, want}) => {
	expect(redact(text)).toBe(want);
});

test.for([
	`${'secret'.repeat(40)}%`,
	`'${'api_key'.repeat(40)}`,
	`@@@${'.'.repeat(45)}${'token'.repeat(40)}\n`,
	`file${'-'.repeat(25)}${'password'.repeat(40)}:`,
	'token:"',
	'the node eu-west-1a/n1 was tainted at 12:00:00, 300 tokens=5 left\n',
])('a text of 1 MB takes milliseconds, whatever names of secrets it repeats: %#', (piece) => {
	const text = piece.repeat(2 ** 20 / piece.length);
	const before = process.cpuUsage();
	redact(text);
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
});

test('long texts take no time that grows with their square', () => {
	const before = process.cpuUsage();
	for (const piece of [
		'a',
		'a.',
		'token',
		'a:b',
		'http://',
		'http://a:',
		'Bearer ',
		'password=',
		'eyJabcde-',
	])
		redact(piece.repeat(20_000));
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
});

test.for([
	'abcdefghij.klmnopqrstu.vwxyzabcdef1',
	'abcdef.0123456789abcdef',
	'hush4711.hush0815',
	'ab1/cd+ef2/gh3',
	'hush4711hush0815.test',
	'/hush4711hush0815/a',
	'hush4711hush0815',
	'hushhushhushhushhush',
])('a word that may be a secret is left out whole: %s', (word) => {
	expect(withoutOpaqueWords(`got ${word}, ends.`)).toBe('got [removed], ends.');
	expect(opaqueWords(`{"token":"${word}"}`)).toEqual([word]);
});

test.for([
	'open https://login.test/device?flow=0123456789abcdef and enter ABCD-1234',
	'2026-11-30T06:22:03.123Z 2026/11/30 06:22:03 no such profile',
	'cannot read /home/me/.config/v2/credentials.db1, ~/.kube/cache/v1.36.3/a or ../etc/x-1/y-2',
	'dial tcp 192.168.100.200:443: no route to 192.168.100.0/24',
	'lookup eks.eu-west-1.amazonaws.com: no such host',
	'client.authentication.k8s.io/v1beta1 is deprecated',
	'Waiting.................................',
])('what tells where, when and what to do is no such word: %s', (text) => {
	expect(withoutOpaqueWords(text)).toBe(text);
});

test.for(['a', '/a', 'a.', 'a/', '1.', '/aaaaaaaaaaaaaaaaaaa'])(
	'words of 256 KiB take milliseconds: %s',
	(piece) => {
		const text = piece.repeat(2 ** 18 / piece.length);
		const before = process.cpuUsage();
		withoutOpaqueWords(text);
		withoutOpaqueWords(`/${text}`);
		expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
	},
);
