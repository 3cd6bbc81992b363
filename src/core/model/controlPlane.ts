import type {Problem} from './problem.ts';

export type ComponentName = 'kube-controller-manager' | 'kube-apiserver';

/** Flags by name without dashes; only those that are used here. */
export type Flags = ReadonlyMap<string, string>;

/** The flags of a control plane component, from its static pod, or from what a vendor's objects show of them. */
export type ComponentFlags = Readonly<{
	/** `pod kube-system/kube-controller-manager-cp1`. */
	seenIn: string;
	isOfVendor?: true | undefined;
	flags: Flags;
	/** The different flags of others that may lead instead; absent if the leader is known. */
	others?: readonly Flags[] | undefined;
}>;

/** A component's flags, or the reason why they are not known; and the release of its image, as in `v1.36.3`. */
export type ComponentLook = (ComponentFlags | {readonly unknown: string}) & {
	readonly version?: string | undefined;
};

export type ControlPlane = {
	readonly controllerManager: ComponentLook;
	readonly apiServer: ComponentLook;
	readonly problems: readonly Problem[];
};

export const hasFlags = (
	look: ComponentLook,
): look is ComponentFlags & {readonly version?: string | undefined} => 'flags' in look;

/** A control plane of which nothing is known, with the reason. */
export const unseenControlPlane = (unknown: string): ControlPlane => ({
	controllerManager: {unknown},
	apiServer: {unknown},
	problems: [],
});
