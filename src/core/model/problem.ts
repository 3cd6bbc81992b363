/** Something that could not be read or understood, for people: nothing is left out in silence. */
export type Problem = {
	/** CamelCase, for machines: LeasesForbidden, ObjectsUnreadable, ... */
	readonly reason: string;
	readonly message: string;
};

/** Whether a problem keeps nodes from being read: an empty list of them does not mean then that there are none. */
export const hidesNodes = ({reason}: Problem): boolean => reason === 'NodesForbidden';

const hiding = ['PodsForbidden', 'PodsMissing'];

/** Whether a problem keeps pods, or their danger, from being seen: an empty list does not mean then that none will be evicted. */
export const hidesPods = (problem: Problem): boolean =>
	hidesNodes(problem) || hiding.includes(problem.reason);
