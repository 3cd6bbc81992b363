/** Something that could not be read or understood, for people: nothing is left out in silence. */
export type Problem = {
	/** CamelCase, for machines: LeasesForbidden, ObjectsUnreadable, ... */
	readonly reason: string;
	readonly message: string;
};

/** Whether a problem keeps nodes from being read: an empty list of them does not mean then that there are none. */
export const hidesNodes = ({reason}: Problem): boolean => reason === 'NodesForbidden';
