import {resolveAccess} from '../../src/cluster/access/access.ts';
import type {ConnectionOptions} from '../../src/cluster/access/connectionOptions.ts';
import {openTransport, type Transport} from '../../src/cluster/transport/transport.ts';
import {bareEnvironment, instantTiming} from './testEnvironment.ts';

/** A transport in an environment of which nothing but what is given is known. */
export async function testTransport(
	options: ConnectionOptions,
	environment = bareEnvironment(),
	timing = instantTiming(),
): Promise<Transport> {
	return openTransport(await resolveAccess(options, environment), environment, timing);
}
