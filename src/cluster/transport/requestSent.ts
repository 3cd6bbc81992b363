import {subscribe, unsubscribe} from 'node:diagnostics_channel';

/** Where undici tells of each request whose headers it has handed to a connection. */
const sendHeaders = 'undici:client:sendHeaders';

/**
 * Resolves once the next request of this process, and whatever is sent with it, is on its way: what keeps the process
 * busy from then on costs no time, since a server has to answer first. It never resolves where nothing is sent.
 */
export function requestSent(): Promise<void> {
	return new Promise((resolve) => {
		const onSent = () => {
			unsubscribe(sendHeaders, onSent);
			// Others of the same turn go over connections of their own, which open at the same time.
			setImmediate(resolve);
		};
		subscribe(sendHeaders, onSent);
	});
}
