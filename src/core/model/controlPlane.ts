import type {Problem} from './problem.ts';

export type ComponentName = 'kube-controller-manager' | 'kube-apiserver';

/** The flags of a control plane component, from its static pod. */
export type ComponentFlags = {
	readonly pod: string;
	/** By name without dashes; only the flags that are used here. */
	readonly flags: ReadonlyMap<string, string>;
};

/** A component's flags, or the reason why they are not known. */
export type ComponentLook = ComponentFlags | {readonly unknown: string};

export type ControlPlane = {
	/** The UID of the namespace kube-system, which identifies a cluster; absent if it may not be read. */
	readonly clusterUid?: string;
	readonly controllerManager: ComponentLook;
	readonly apiServer: ComponentLook;
	readonly problems: readonly Problem[];
};

export const hasFlags = (look: ComponentLook): look is ComponentFlags => 'flags' in look;

/** A control plane of which nothing is known, with the reason. */
export const unseenControlPlane = (unknown: string): ControlPlane => ({
	controllerManager: {unknown},
	apiServer: {unknown},
	problems: [],
});
