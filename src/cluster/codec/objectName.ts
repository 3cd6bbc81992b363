const label = String.raw`[a-z\d](?:[-a-z\d]*[a-z\d])?`;
const labelOnly = new RegExp(`^${label}$`);
const subdomain = new RegExp(String.raw`^${label}(?:\.${label})*$`);

/**
 * Whether an API server would take this as the name of a node, a pod or a lease. Whatever else comes as one, from a forged
 * dump for example, is no object of a cluster, and could be harmful in a command that somebody pastes.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Subdomain
 */
export const isObjectName = (name: string): boolean => name.length <= 253 && subdomain.test(name);

/**
 * The same for the name of a namespace.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go IsDNS1123Label
 */
export const isNamespaceName = (name: string): boolean => name.length <= 63 && labelOnly.test(name);
