import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {devNull, tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Instant} from '../../src/core/time/instant.ts';
import {apiVersion, singleJson} from '../../src/print/json/json.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {inTable, type Kind} from '../../src/print/tables/kind.ts';
import {type ProgramResult, runProgram} from './runProgram.ts';

const program = 'kubectl';

/** Whether there is a kubectl to compare with. */
export const hasKubectl = spawnSync(program, ['version', '--client']).status === 0;

/** Serves forecasts as objects of an API group, so that kubectl itself prints them. */
export type KubectlView = {
	readonly run: (args: readonly string[], input?: string) => Promise<ProgramResult>;
	readonly close: () => void;
};

type Shown<Item> = {readonly kind: Kind<Item>; readonly items: readonly Item[]; readonly now: Instant};

/** Starts a server of one kind of forecasts on loopback, and returns a function that runs kubectl against it. */
export async function kubectlView<Item>(shown: Shown<Item>): Promise<KubectlView> {
	const cache = mkdtempSync(join(tmpdir(), 'evictwatch-kubectl-view-'));
	const server = createServer((request, response) => {
		const body = answer(request, shown);
		response.writeHead(body === undefined ? 404 : 200, {'content-type': 'application/json'});
		response.end(JSON.stringify(body ?? {kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404}));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const env = {...process.env, KUBECONFIG: devNull, HOME: cache};
	return {
		run: (args) => runProgram(program, ['--cache-dir', cache, '-s', url, ...args], {env}),
		close: () => {
			server.closeAllConnections();
			server.close();
			rmSync(cache, {recursive: true, force: true});
		},
	};
}

/** The kind as a resource: `podforecasts`. */
export const resourceOf = <Item>({name}: Kind<Item>): string => `${name.toLowerCase()}s`;

const [group, version] = apiVersion.split('/');
const groupVersions = [{groupVersion: apiVersion, version}];

function answer<Item>({url = '', headers}: IncomingMessage, shown: Shown<Item>): object | undefined {
	const {pathname, searchParams} = new URL(url, 'http://localhost');
	switch (pathname) {
		case '/api':
			return {kind: 'APIVersions', versions: ['v1']};
		case '/api/v1':
			return {kind: 'APIResourceList', groupVersion: 'v1', resources: []};
		case '/apis':
			return {
				kind: 'APIGroupList',
				apiVersion: 'v1',
				groups: [{name: group, versions: groupVersions, preferredVersion: groupVersions[0]}],
			};
		case `/apis/${apiVersion}`:
			return resources(shown.kind);
	}
	const name = decodeURIComponent(pathname.split(`/${resourceOf(shown.kind)}`)[1] ?? '').replace(/^\//, '');
	const items = shown.items.filter((item) => name === '' || shown.kind.nameOf(item) === name);
	const [first] = items;
	if (name !== '' && first === undefined) return undefined;
	if (headers.accept?.includes('as=Table')) {
		return table({...shown, items}, searchParams.get('includeObject') === 'Object');
	}
	return name !== '' && first !== undefined ? object(shown.kind, first) : list({...shown, items});
}

function resources<Item>(kind: Kind<Item>): object {
	const resource = {
		name: resourceOf(kind),
		singularName: kind.singular,
		namespaced: kind.name === 'PodForecast',
		kind: kind.name,
		verbs: ['get', 'list', 'watch'],
	};
	return {kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources: [resource]};
}

const object = <Item>(kind: Kind<Item>, item: Item): object => Object(jsonOf(singleJson(kind, item)));

const list = <Item>({kind, items}: Shown<Item>): object => ({
	apiVersion,
	kind: `${kind.name}List`,
	metadata: {resourceVersion: '1'},
	items: items.map((item) => object(kind, item)),
});

// kubectl adds the NAMESPACE column itself.
function table<Item>({kind, items, now}: Shown<Item>, hasObjects: boolean): object {
	const columns = kind.columns.filter(({title}) => title !== 'NAMESPACE');
	return {
		apiVersion: 'meta.k8s.io/v1',
		kind: 'Table',
		metadata: {resourceVersion: '1'},
		columnDefinitions: columns.map(({title, isWide}) => ({
			name: title,
			type: 'string',
			format: title === kind.nameTitle ? 'name' : '',
			priority: isWide ? 1 : 0,
		})),
		rows: items.map((item) => ({
			cells: columns.map(({cell}) => cell(item, inTable(now))),
			object: hasObjects
				? object(kind, item)
				: {...object(kind, item), kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1'},
		})),
	};
}
