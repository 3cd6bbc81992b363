import type {VersionInfo} from '@kubernetes/client-node';
import {Decoder} from '../codec/decoder.ts';
import {fieldsOf, textOf} from '../codec/rawJson.ts';
import {RequestError} from '../transport/requestError.ts';
import {nodeLeases} from '../transport/resource.ts';
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

/**
 * Whether the API server answers a question for which it has to know what is stored: one that has lost its store answers
 * others still. That it refuses is an answer, too.
 */
export async function answersAboutLeases(transport: Transport, signal: AbortSignal): Promise<boolean> {
	const {path} = nodeLeases(new Decoder());
	try {
		await transport.json(path, {limit: '1'}, signal);
		return true;
	} catch (error) {
		return error instanceof RequestError && error.status !== undefined && error.status < 500;
	}
}
