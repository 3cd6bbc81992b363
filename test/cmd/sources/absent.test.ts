import {expect, test} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {absenceIn, absenceInFiles} from '../../../cmd/sources/absent.ts';
import {connect} from '../../../src/cluster/cluster.ts';
import {answerJson, answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';

const pod = {metadata: {name: 'web', namespace: 'shop', uid: 'u1'}};
const lists: Readonly<Record<string, readonly object[]>> = {
	'/api/v1/pods?labelSelector=app%3Dnope&limit=1': [],
	'/api/v1/pods?labelSelector=app%3Dweb&limit=1': [pod],
	'/api/v1/namespaces/shop/pods?fieldSelector=spec.nodeName%3Dn9&limit=1': [],
};

test.for([
	{line: 'pods -A', want: ''},
	{line: 'pods -l app=nope -A', want: 'No resources found'},
	{line: 'pods -l app=web -A', want: ''},
	{line: 'pods -l app=hidden -A', want: ''},
	{line: 'pods -n shop', namespace: 'shop', want: ''},
	{
		line: 'pods -n shop --field-selector spec.nodeName=n9',
		namespace: 'shop',
		want: 'No resources found in shop namespace',
	},
	{line: 'pods -n shopp -l app=web', namespace: 'shopp', want: 'There is no namespace "shopp"'},
])('"$line": what is not there at all: "$want"', async ({line, namespace, want}) => {
	await using server = await FakeApiServer.start();
	server.intercept(({url}, response) => {
		const items = lists[`${url.pathname}${url.search}`];
		if (items) answerJson(response, {kind: 'PodList', apiVersion: 'v1', metadata: {}, items});
		else if (url.pathname === '/api/v1/namespaces/shop') answerJson(response, {metadata: {name: 'shop'}});
		else answerStatus(response, url.pathname.endsWith('shopp') ? 404 : 403, 'no');
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment());
	try {
		expect(await absenceIn(cluster, namespace, parseCommandLine(line.split(' ')))).toBe(want);
	} finally {
		await cluster.close();
	}
});

test('of files nothing is asked: what their pods do not have is not there', () => {
	const said = (line: string) => absenceInFiles(undefined, parseCommandLine(line.split(' ')));
	expect(said('pods -f dump.json -l app=nope')).toBe('No resources found');
	expect(said('pods -f dump.json')).toBe('');
});
