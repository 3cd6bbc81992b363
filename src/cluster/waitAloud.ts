import {type Duration, second} from '../core/time/instant.ts';

/** Who is well answers sooner; who waits for longer wants to know for whom. */
const usually: Duration = 5 * second;
/** A person who types a password into a plugin is not interrupted so soon. */
const attended: Duration = 30 * second;

/** Who has to answer next, and for how long nothing has come from there. */
export type Awaited = {
	/** As in `the API server at HOST`. */
	readonly name: string;
	readonly silentFor: Duration;
	/** Whether a person may be at work with it. */
	readonly isAttended: boolean;
};

/** How waits are told of. */
export type Waiting = {
	readonly writeError: (text: string) => void;
	readonly awaited: () => Awaited;
	/** The names that were told already, of all that waits at the same time. */
	readonly told: Set<string>;
};

/** Says who does not answer, and since when, as soon as that is longer than usual: once for each, while it is waited for. */
export async function waitAloud<T>(work: Promise<T>, {writeError, awaited, told}: Waiting): Promise<T> {
	const timer = setInterval(() => {
		const {name, silentFor, isAttended} = awaited();
		if (silentFor < (isAttended ? attended : usually) || told.has(name)) return;
		told.add(name);
		const since = new Date(Date.now() - silentFor).toISOString().slice(11, 19);
		writeError(`Waiting for ${name}: no answer since ${since}Z.\n`);
	}, second);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}
