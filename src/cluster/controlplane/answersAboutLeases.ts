import {Decoder} from '../codec/decoder.ts';
import {RequestError} from '../transport/requestError.ts';
import {nodeLeases} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

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
