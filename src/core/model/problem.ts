/** Something that could not be read or understood, reported to the user. */
export type Problem = {
	/** CamelCase, for machines: LeasesForbidden, ObjectsUnreadable, ... */
	readonly reason: string;
	readonly message: string;
	/** Whether pods could not be read, where the reason does not say of what it is. */
	readonly isOfPods?: true | undefined;
};

/** Whether a problem hides nodes: an empty list then does not mean that there are none. */
export const hidesNodes = ({reason}: Problem): boolean => reason === 'NodesForbidden';

const hiding = ['PodsForbidden', 'PodsMissing', 'PodsUnreadable', 'NodesMissing'];

/** Whether a problem hides pods or what threatens them: an empty list then does not mean that none will be evicted. */
export const hidesPods = (problem: Problem): boolean =>
	hidesNodes(problem) || hiding.includes(problem.reason) || problem.isOfPods === true;

/** Whether leases were asked for and not given. */
export const refusesLeases = ({reason}: Problem): boolean =>
	reason === 'LeasesForbidden' || reason === 'LeasesUnreadable';

/** Whether nodes that seem well may be silent: without leases there is no young sign of life. */
export const hidesSilence = (problem: Problem): boolean =>
	refusesLeases(problem) || problem.reason === 'LeasesMissing';

/** Whether a problem hides that pods will be evicted, though it may show all that are there. */
export const hidesEvictions = (problem: Problem): boolean => hidesPods(problem) || hidesSilence(problem);

/** Whether nodes that are well turn Unknown again and again. */
export const letsFlap = ({reason}: Problem): boolean => reason === 'NodesFlap';

/** Whether somebody else runs the control plane, and nobody else may change it. */
export const isOfManaged = ({reason}: Problem) => reason === 'ManagedControlPlane';
