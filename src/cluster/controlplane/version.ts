import type {VersionInfo} from '@kubernetes/client-node';
import {fieldsOf, textOf} from '../codec/rawJson.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';

/** The API server's version, as in `v1.36.3`. @throws RequestError where it does not say. */
export async function readVersion(transport: Transport): Promise<string> {
	const version = textOf(fieldsOf<VersionInfo>(await transport.json('/version')).gitVersion);
	if (version !== '') return version;
	throw new RequestError(
		'the server does not tell its version',
		'check the address of the server: kubectl version',
	);
}
