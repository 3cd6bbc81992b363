import {Agent, request} from 'node:https';
import {buffer} from 'node:stream/consumers';
import {constants, gunzipSync} from 'node:zlib';
import {protobuf} from '../../../src/cluster/page.ts';
import type {Identity} from '../../e2e/apiClient.ts';

export const podsPath = '/api/v1/pods';
export const nodesPath = '/api/v1/nodes';
export const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** So much of a page holds its continue token, compressed. */
const head = 4096;

/** Fetches collections page by page, as the plugin does, one request after another, and reads nothing of them. */
export async function transferSeconds(admin: Identity, paths: readonly string[]): Promise<number> {
	const {server, ca, cert, key} = admin;
	const agent = new Agent({keepAlive: true, maxSockets: 1, ca, cert, key});
	const headers = {accept: protobuf, 'accept-encoding': 'gzip'};
	const startedAt = performance.now();
	for (const path of paths) {
		for (let next: string | undefined = ''; next !== undefined; ) {
			const query: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
			const url = new URL(`${path}?limit=500${query}`, server);
			const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
				request(url, {agent, headers}, resolve).once('error', reject).end();
			});
			const bytes = await buffer(response);
			if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${bytes}`);
			next = continueOf(bytes, response.headers['content-encoding'] === 'gzip') || undefined;
		}
	}
	const seconds = (performance.now() - startedAt) / 1000;
	agent.destroy();
	return seconds;
}

/** Cut off after its head, a page is still read as far as it goes. */
function continueOf(bytes: Buffer, isZipped: boolean): string {
	const begin = bytes.subarray(0, head);
	const plain = isZipped ? gunzipSync(begin, {finishFlush: constants.Z_SYNC_FLUSH}) : begin;
	// The list's own length is that of the whole page, so the token is found by its form: base64 of {"v":"meta...
	const [token = ''] = /eyJ2Ijoi[\w=-]+/.exec(plain.toString('latin1')) ?? [];
	return token;
}
