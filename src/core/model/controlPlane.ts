import type {Problem} from './problem.ts';

export type ComponentName = 'kube-controller-manager' | 'kube-apiserver';

/** The flags of a component of the control plane, as its static pod gives them. */
export type ComponentFlags = {
	readonly pod: string;
	/** By name without dashes; only those that matter here. */
	readonly flags: ReadonlyMap<string, string>;
};

/** A component's flags, or why they are not known. */
export type ComponentLook = ComponentFlags | {readonly unknown: string};

/** What a cluster tells of its control plane. */
export type ControlPlane = {
	/** The UID of the namespace kube-system, by which a cluster is known again; absent where it may not be read. */
	readonly clusterUid?: string;
	readonly controllerManager: ComponentLook;
	readonly apiServer: ComponentLook;
	readonly problems: readonly Problem[];
};

/** Whether a component's flags are known. */
export const hasFlags = (look: ComponentLook): look is ComponentFlags => 'flags' in look;

/** A control plane of which nothing is known, for a reason. */
export const unseenControlPlane = (unknown: string): ControlPlane => ({
	controllerManager: {unknown},
	apiServer: {unknown},
	problems: [],
});
