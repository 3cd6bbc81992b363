/** Counts of an outage, by what differs. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How often two outputs contradict each other. These counts only fall, to nothing. */
export const contradictions: Counts = {};

/** How many facts differ on a path from a source to a consumer. These counts only fall, to nothing. */
export const differentPaths: Counts = {
	// The demo's clock is behind the virtual one there, and its node is only late.
	'node-dies': {'demo → dashboard': 10},
};
