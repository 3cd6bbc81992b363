import {type Duration, second} from '../core/time/instant.ts';

/** A server that is well answers sooner; who waits for longer wants to know for what. */
const silentFor: Duration = 5 * second;

/** Whom somebody waits for, and where that is said. */
export type Waiting = {
	readonly host: string;
	readonly writeError: (text: string) => void;
	/** Whether anything has come from there since so long ago. */
	readonly hasAnsweredWithin: (duration: Duration) => boolean;
};

/** Says that an API server does not answer, and since when, as soon as that is longer than usual: once, while it is waited for. */
export async function waitAloud<T>(
	work: Promise<T>,
	{host, writeError, hasAnsweredWithin}: Waiting,
): Promise<T> {
	const timer = setInterval(() => {
		if (hasAnsweredWithin(silentFor)) return;
		clearInterval(timer);
		const since = new Date(Date.now() - silentFor).toISOString().slice(11, 19);
		writeError(`Waiting for the API server at ${host}: no answer since ${since}Z.\n`);
	}, second);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}
