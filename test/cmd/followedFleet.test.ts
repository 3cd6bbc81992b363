import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {chosenContexts} from '../../cmd/clusters/chosenContexts.ts';
import {followFleet} from '../../cmd/clusters/followedFleet.ts';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {testFolder} from '../support/testFolder.ts';

const {path: folder} = testFolder();
const kubeconfig = join(folder, 'config');
// Nothing listens at this address.
writeFileSync(
	kubeconfig,
	JSON.stringify({
		clusters: [{name: 'a', cluster: {server: 'http://127.0.0.1:1'}}],
		contexts: [{name: 'a', context: {cluster: 'a', user: ''}}],
	}),
);

test('a cluster that could not be shown is followed again, and shows nothing old', async () => {
	const line = ['clusters', '--contexts=a', `--kubeconfig=${kubeconfig}`, '--request-timeout=5s'];
	const options = parseCommandLine(line);
	const fleet = followFleet(await chosenContexts(options), options);
	const status = () => fleet.view().clusters[0]?.status;
	await expect.poll(status, {timeout: 5000}).toBe('Unreachable');
	fleet.leaveTo('a');
	fleet.takeBack('a');
	expect(fleet.view().clusters[0]).toMatchObject({status: 'Connecting', summary: undefined, problems: []});
	await expect.poll(status, {timeout: 5000}).toBe('Unreachable');
	await fleet.end();
});
