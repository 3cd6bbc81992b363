import {readFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {Agent, request} from 'node:https';
import {constants, gunzipSync} from 'node:zlib';

// The minimum for a program of this runtime: it starts, connects, fetches the given collections page by page in the encoding
// that the plugin requests, one request after another, parses nothing, and exits. It is bundled, so that nothing else is
// loaded.

/** This many compressed bytes of a page include its continue token. */
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

/** Fetches a page; returns the continue token of the next. */
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
	// The rest is cut off, and gzip decodes what is there.
	const isZipped = response.headers['content-encoding'] === 'gzip';
	const plain = isZipped ? gunzipSync(head, {finishFlush: constants.Z_SYNC_FLUSH}) : head;
	// The list's length prefix covers the whole page, so the token is found by its form: base64 of {"v":"meta...
	return /eyJ2Ijoi[\w=-]+/.exec(plain.toString('latin1'))?.[0];
}
