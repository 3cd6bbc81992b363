import type {IncomingHttpHeaders} from 'node:http';

/** Answered by others behind the API server, which hands on their headers: kubelets, and the server of the metrics API. */
const answeredByOthers = /\/proxy\/|^\/apis\/metrics\.k8s\.io\//;

/** The head of an answer. */
type Head = {readonly statusCode: number; readonly headers: IncomingHttpHeaders};

/**
 * The Date header of an answer that kube-apiserver itself gave; undefined where a load balancer, a proxy, a log-in page or a
 * server behind it may have given it, whose clocks are not the cluster's. kube-apiserver marks its answers: since v1.21
 * each one, a refusal too, has an Audit-Id, because the outermost handler sets it; in v1.20 those that its priority and
 * fairness let through name their FlowSchema; before, its own media type tells. Errors of servers never count: they are what
 * is said in its name. A proxy that puts its own Date on the answers that it hands on cannot be told from it.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apiserver/pkg/endpoints/filters/audit_init.go WithAuditInit
 * @param path of the request, below the base URL of the server
 */
export function serverDate(path: string, {statusCode, headers}: Head): string | undefined {
	if (statusCode >= 500 || answeredByOthers.test(path)) return undefined;
	const isMarked =
		headers['audit-id'] !== undefined ||
		headers['x-kubernetes-pf-flowschema-uid'] !== undefined ||
		headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
	return isMarked ? headers.date : undefined;
}
