const mostSightings = 50;

/** Adds one thing that was seen to those before it: the last of them tell enough. */
export const keep = <T>(sightings: readonly T[], one: T): readonly T[] =>
	[...sightings, one].slice(-mostSightings);
