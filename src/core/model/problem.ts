/** Something that could not be read or understood, for people: nothing is left out in silence. */
export type Problem = {
	/** CamelCase, for machines: LeasesForbidden, ObjectsUnreadable, ... */
	readonly reason: string;
	readonly message: string;
};
