// By which the control plane elects its leaders, and the API servers find each other.
const namesOfControlPlane =
	/^(kube-controller-manager|kube-scheduler|cloud-controller-manager|apiserver-.+)$/;

/**
 * Whether a lease is the control plane's or a kubelet's by its name: who writes one of these ends a leader's reign, or keeps
 * a dead node alive.
 */
export const isLeaseOfOthers = (namespace: string, name: string): boolean =>
	namespace === 'kube-node-lease' || namesOfControlPlane.test(name);
