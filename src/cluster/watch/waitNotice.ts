import {beginningOfTime, type Duration, second} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';

/** Healthy servers answer sooner; after this, the user wants to know who is slow. */
const longestSilence: Duration = 5 * second;
/** A user who types a password into a plugin is not interrupted so soon. */
const longestAttended: Duration = 30 * second;

/** What has to answer next, and for how long it has been silent. */
type Awaited = Readonly<{
	/** A phrase such as `the API server at HOST`. */
	name: string;
	/** Why it is waited for, where it has answered. */
	why?: string | undefined;
	silentFor: Duration;
	/** Whether a user may be logging in. */
	isAttended: boolean;
}>;

/** Awaits work, and prints who has not answered since when: once for all concurrent waits, and again after an answer. */
export function waitNotice(awaited: () => Awaited, writeError: (text: string) => void) {
	/** When each name was last printed, in monotonic time. */
	const printedAt = new Map<string, Duration>();
	const look = () => {
		const {name, why, silentFor, isAttended} = awaited();
		const now = performance.now();
		if (silentFor < (isAttended ? longestAttended : longestSilence)) return;
		if (now - silentFor <= (printedAt.get(name) ?? beginningOfTime)) return;
		printedAt.set(name, now);
		writeError(`Waiting for ${name}: ${why ?? `no answer since ${clockTime(Date.now() - silentFor)}`}.\n`);
	};
	return async <T>(work: Promise<T>): Promise<T> => {
		const timer = setInterval(look, second);
		try {
			return await work;
		} finally {
			clearInterval(timer);
		}
	};
}
