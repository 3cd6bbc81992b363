import {readFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {Agent, request} from 'node:https';
import {constants, gunzipSync} from 'node:zlib';

// The least that a program of this runtime can do: it starts, connects, fetches collections page by page as they are
// named to it, one request after another, in the encoding that the plugin asks for, reads nothing of them, and ends.
// It is bundled for that, so that nothing else is loaded.

/** So much of a page holds its continue token, compressed. */
const headLength = 4096;

const [kubeconfig = '', ...paths] = process.argv.slice(2);
const {clusters, users} = JSON.parse(readFileSync(kubeconfig, 'utf8'));
const data = (base64: string) => Buffer.from(base64, 'base64');
const agent = new Agent({
	keepAlive: true,
	maxSockets: 1,
	ca: data(clusters[0].cluster['certificate-authority-data']),
	cert: data(users[0].user['client-certificate-data']),
	key: data(users[0].user['client-key-data']),
});
const headers = {accept: 'application/vnd.kubernetes.protobuf', 'accept-encoding': 'gzip'};

for (const path of paths) {
	for (let next: string | undefined = ''; next !== undefined; next = await nextAfter(path, next));
}
agent.destroy();

/** Fetches a page, and says what names the one after it. */
async function nextAfter(path: string, name: string): Promise<string | undefined> {
	const query = name === '' ? '' : `&continue=${encodeURIComponent(name)}`;
	const url = new URL(`${path}?limit=500${query}`, clusters[0].cluster.server);
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		request(url, {agent, headers}, resolve).once('error', reject).end();
	});
	const parts: Buffer[] = [];
	let length = 0;
	for await (const chunk of response) {
		if (length < headLength) parts.push(chunk);
		length += chunk.length;
	}
	const head = Buffer.concat(parts).subarray(0, headLength);
	if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${head}`);
	// Cut off after its head, a page is still read as far as it goes.
	const isZipped = response.headers['content-encoding'] === 'gzip';
	const plain = isZipped ? gunzipSync(head, {finishFlush: constants.Z_SYNC_FLUSH}) : head;
	// The list's own length is that of the whole page, so the token is found by its form: base64 of {"v":"meta...
	return /eyJ2Ijoi[\w=-]+/.exec(plain.toString('latin1'))?.[0];
}
