import {randomUUID} from 'node:crypto';
import {type ApiClient, mergePatch, unless} from '../../../e2e/apiClient.ts';
import type {Entry, Etcd} from './etcd.ts';
import {lease, namespaceOf, node, pod, podStatus, templateNode, templateZone} from './templates.ts';

/** The size of a cluster. Measurements with dead nodes stop a third of them, one zone. */
export type Size = {readonly nodes: number; readonly podsPerNode: number};

const zones = ['zone-a', 'zone-b', 'zone-c'] as const;
const leaseKey = (name: string) => `/registry/leases/kube-node-lease/${name}`;

/** Nodes, leases and pods, written to etcd directly as copies of objects that the API server wrote. */
export class Filling {
	readonly #api: ApiClient;
	readonly #etcd: Etcd;
	readonly #size: Size;
	#lease: {readonly bytes: Buffer; readonly renewedAt: number; readonly writtenAt: number} | undefined;
	#wellNode: Template | undefined;
	#deadNode: Template | undefined;

	constructor(api: ApiClient, etcd: Etcd, size: Size) {
		this.#api = api;
		this.#etcd = etcd;
		this.#size = size;
	}

	get names(): readonly string[] {
		return Array.from({length: this.#size.nodes}, (_, index) => nameOf(index));
	}

	/** Creates everything, with healthy nodes. */
	async fill(): Promise<void> {
		this.#deadNode = await this.#nodeTemplate(true);
		await this.#api.request('DELETE', `/api/v1/nodes/${templateNode}`);
		this.#wellNode = await this.#nodeTemplate(false);
		await this.#takeLeaseTemplate();
		await this.renew(this.names, Date.now());
		await this.setDead(() => false);
		await this.#fillPods();
	}

	/** Rewrites all nodes, dead or healthy. */
	async setDead(isDead: (index: number) => boolean): Promise<void> {
		const {names} = this;
		const [dead, well] = [this.#deadNode, this.#wellNode];
		if (!dead || !well) throw new Error('not filled yet');
		const entries = names.map((name, index): Entry => {
			const zone = zones[index % zones.length] ?? zones[0];
			const changes = {
				[templateNode]: name,
				[templateZone]: zone,
				[dead.uid]: well.uid,
				[well.uid]: uidOf(index),
			};
			return {key: `/registry/minions/${name}`, value: copied((isDead(index) ? dead : well).bytes, changes)};
		});
		await this.#etcd.put(entries);
	}

	/** Renews the leases of these nodes at once. */
	async renew(names: readonly string[], now: number): Promise<void> {
		const template = this.#lease;
		if (!template) throw new Error('not filled yet');
		await this.#etcd.put(
			names.map((name) => ({
				key: leaseKey(name),
				value: withTimes(copied(template.bytes, {[templateNode]: name}), template, now),
			})),
		);
	}

	async #nodeTemplate(isDead: boolean): Promise<Template> {
		await unless(409, this.#api.request('POST', '/api/v1/nodes', node(isDead)));
		const {metadata} = await this.#api.request<{metadata: {uid: string}}>(
			'GET',
			`/api/v1/nodes/${templateNode}`,
		);
		return {bytes: await this.#etcd.get(`/registry/minions/${templateNode}`), uid: metadata.uid};
	}

	async #takeLeaseTemplate(): Promise<void> {
		// Later than its creation, so that both times can be found in its bytes.
		const renewedAt = roundFraction(Date.now() + 5000);
		const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
		const {metadata} = await this.#api.request<{metadata: {creationTimestamp: string}}>(
			'POST',
			path,
			lease(renewedAt),
		);
		const writtenAt = Date.parse(metadata.creationTimestamp);
		this.#lease = {bytes: await this.#etcd.get(leaseKey(templateNode)), renewedAt, writtenAt};
	}

	async #fillPods(): Promise<void> {
		const templates: {readonly key: string; readonly bytes: Buffer; readonly uid: string}[] = [];
		for (let index = 0; index < this.#size.podsPerNode; index++) {
			const namespace = namespaceOf(index);
			await unless(409, this.#api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}}));
			const path = `/api/v1/namespaces/${namespace}/pods`;
			const wanted = pod(index);
			const {metadata} = await this.#api.request<{metadata: {uid: string}}>('POST', path, wanted);
			await this.#api.request(
				'PATCH',
				`${path}/${wanted.metadata.name}/status`,
				podStatus(wanted),
				mergePatch,
			);
			const key = `/registry/pods/${namespace}/${wanted.metadata.name}`;
			templates.push({key, uid: metadata.uid, bytes: await this.#etcd.get(key)});
		}
		for (const name of this.names.slice(1)) {
			await this.#etcd.put(
				templates.map(({key, bytes, uid}) => ({
					key: key.replace(templateNode, name),
					value: copied(bytes, {[templateNode]: name, [uid]: randomUUID()}),
				})),
			);
		}
	}
}

type Template = {readonly bytes: Buffer; readonly uid: string};

const nameOf = (index: number) => `node-${String(index).padStart(5, '0')}`;
const uidOf = (index: number) => `0d3f2c1b-5a69-4c0e-8b7d-${String(index).padStart(12, '0')}`;

/** A copy with other texts of the same length, so that its length prefixes stay valid. */
function copied(bytes: Buffer, changes: Readonly<Record<string, string>>): Buffer {
	const copy = Buffer.from(bytes);
	for (const [from, to] of Object.entries(changes)) {
		if (from.length !== to.length) throw new Error(`${from} and ${to} differ in length`);
		for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + to.length))
			copy.write(to, at, 'latin1');
	}
	return copy;
}

/** A copy of a lease with other renewal and write times, which are protobuf Timestamps. */
function withTimes(
	bytes: Buffer,
	{renewedAt, writtenAt}: {readonly renewedAt: number; readonly writtenAt: number},
	to: number,
): Buffer {
	const copy = Buffer.from(bytes);
	const replace = (old: Buffer, young: Buffer) => {
		for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at + old.length)) young.copy(copy, at);
	};
	replace(timestamp(renewedAt), timestamp(roundFraction(to)));
	replace(varint(Math.floor(writtenAt / 1000)), varint(Math.floor(to / 1000)));
	return copy;
}

/** An instant whose nanoseconds take five bytes as a varint. */
const roundFraction = (instant: number) =>
	Math.floor(instant / 1000) * 1000 + Math.max(300, (instant % 1000) | 0);

const timestamp = (instant: number) =>
	Buffer.concat([
		Buffer.from([0x08]),
		varint(Math.floor(instant / 1000)),
		Buffer.from([0x10]),
		varint((instant % 1000) * 1_000_000),
	]);

function varint(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value;
	for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
	return Buffer.from([...bytes, rest]);
}
