/** Counts of an outage, by what differs. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How often two outputs contradict each other. These counts only fall, to nothing. */
export const contradictions: Counts = {};

/** How many facts differ on a path from a source to a consumer. These counts only fall, to nothing. */
export const differentPaths: Counts = {
	// A demo's dashboard watches from the first second of a world of its own.
	'node-dies': {'demo → dashboard': 5},
	'zone-dies': {'demo → dashboard': 13},
	'all-zones-down': {'demo → dashboard': 38},
	'flapping-node': {'demo → dashboard': 5},
	'controller-restart': {'demo → dashboard': 5},
	recovery: {'demo → dashboard': 13},
};
