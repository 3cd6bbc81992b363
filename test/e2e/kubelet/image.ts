import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {copyFileSync, mkdirSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {create} from 'tar';

const type = 'application/vnd.oci.image';
const digestOf = (data: Buffer) => `sha256:${createHash('sha256').update(data).digest('hex')}`;

/**
 * Serves the image of one program in a registry on loopback. A kubelet that is short of disk deletes images, and can pull it
 * again from there.
 *
 * @param folder where the image is created
 * @returns the image's reference
 */
export async function serveImage(program: string, folder: string): Promise<string> {
	mkdirSync(folder, {recursive: true});
	copyFileSync(program, join(folder, 'load'));
	create({file: join(folder, 'layer.tar'), cwd: folder, sync: true, portable: true}, ['load']);
	const layer = readFileSync(join(folder, 'layer.tar'));
	const json = (value: unknown) => Buffer.from(JSON.stringify(value));
	const config = json({
		architecture: process.arch === 'x64' ? 'amd64' : process.arch,
		os: 'linux',
		config: {Entrypoint: ['/load']},
		rootfs: {type: 'layers', diff_ids: [digestOf(layer)]},
	});
	const described = (data: Buffer, mediaType: string) => ({
		mediaType,
		digest: digestOf(data),
		size: data.length,
	});
	const manifest = json({
		schemaVersion: 2,
		mediaType: `${type}.manifest.v1+json`,
		config: described(config, `${type}.config.v1+json`),
		layers: [described(layer, `${type}.layer.v1.tar`)],
	});
	const blobs = new Map([layer, config, manifest].map((blob) => [digestOf(blob), blob]));
	const server = createServer(({url = '', method}, response) => {
		const [, name = ''] = /\/(?:manifests|blobs)\/(.+)$/.exec(url) ?? [];
		const blob = name === '1' ? manifest : blobs.get(name);
		if (!blob) {
			response.writeHead(url === '/v2/' ? 200 : 404).end();
			return;
		}
		response.setHeader(
			'content-type',
			blob === manifest ? `${type}.manifest.v1+json` : 'application/octet-stream',
		);
		response.setHeader('docker-content-digest', digestOf(blob));
		response.setHeader('content-length', blob.length);
		response.end(method === 'HEAD' ? undefined : blob);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `localhost:${(server.address() as AddressInfo).port}/load:1`;
}
