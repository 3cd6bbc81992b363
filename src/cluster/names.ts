import {systemTiming} from '../async/timing.ts';
import {unique} from '../core/collections/unique.ts';
import {nameOf} from '../core/model/objectName.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {resolveAccess} from './access/access.ts';
import type {ConnectionOptions} from './access/connectionOptions.ts';
import {silentEnvironment} from './access/environment.ts';
import {loadKubeconfig} from './access/kubeconfig.ts';
import {Decoder} from './codec/decoder.ts';
import {isObjectName, partsOf, textMapOf, textOf} from './codec/rawJson.ts';
import {findDeviceResources} from './controlplane/servedCollections.ts';
import {list} from './transport/list.ts';
import {openTransport, type Transport} from './transport/transport.ts';

/** The API versions of workloads whose names are offered. */
const workloads = {
	deployments: 'apps/v1',
	statefulsets: 'apps/v1',
	daemonsets: 'apps/v1',
	jobs: 'batch/v1',
} as const;

/** Where names come from: the cluster or the kubeconfig. */
export type NameSource =
	| 'pods'
	| 'nodes'
	| 'zones'
	| 'namespaces'
	| keyof typeof workloads
	| 'devices'
	| 'contexts'
	| 'clusters'
	| 'users';

/** Requests only object metadata, if the server supports that. */
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** Reads names, sorted, for shell completion: without prompts or messages. @throws UserError if that is not possible */
export async function readNames(
	what: NameSource,
	options: ConnectionOptions,
	allNamespaces: boolean,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const environment = silentEnvironment();
	if (what === 'contexts' || what === 'clusters' || what === 'users') {
		const kubeconfig = await loadKubeconfig(options.kubeconfig, environment);
		return kubeconfig[what].map(nameOf).toSorted();
	}
	const access = await resolveAccess(options, environment);
	const transport = await openTransport(access, environment, systemTiming);
	try {
		if (what === 'devices') return await deviceNames(transport, signal);
		const version = what in workloads ? `apis/${workloads[what as keyof typeof workloads]}` : 'api/v1';
		const isInNamespace = (what === 'pods' || what in workloads) && !allNamespaces;
		const scope = isInNamespace ? `namespaces/${encodeURIComponent(access.namespace)}/` : '';
		const path = `/${version}/${scope}${what === 'zones' ? 'nodes' : what}`;
		const metadata = await listMetadata(transport, path, signal);
		const names = metadata.map((one) =>
			what === 'zones' ? zoneLabel(zoneKey({labels: textMapOf(one.labels)})) : textOf(one.name),
		);
		const isName = what === 'zones' ? () => true : isObjectName;
		return unique(names.filter(isName)).toSorted();
	} finally {
		await transport.close();
	}
}

/** All devices as DRIVER/POOL/DEVICE. */
async function deviceNames(transport: Transport, signal: AbortSignal): Promise<readonly string[]> {
	const collections = await findDeviceResources(transport, new Decoder(), signal);
	const slices = collections.find(({name}) => name === 'ResourceSlices');
	const {objects} = slices ? await list(transport, slices, signal) : {objects: []};
	const names = objects.flatMap((one) =>
		one.kind === 'ResourceSlice' ? one.devices.map(({name}) => `${one.driver}/${one.pool}/${name}`) : [],
	);
	return unique(names).toSorted();
}

async function listMetadata(transport: Transport, path: string, signal: AbortSignal) {
	const metadata = {path, query: {}, accept: metadataOnly, decode: (item: unknown) => partsOf(item).metadata};
	return (await list(transport, metadata, signal)).objects;
}
