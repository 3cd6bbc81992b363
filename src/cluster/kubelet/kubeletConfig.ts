import type {KubeletConfig} from '../../core/model/kubeletConfig.ts';
import {second} from '../../core/time/instant.ts';
import {decodeDuration, fieldsOf, numberOf, present} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';

type Configz = {
	readonly nodeLeaseDurationSeconds: unknown;
	readonly nodeStatusUpdateFrequency: unknown;
	readonly nodeStatusReportFrequency: unknown;
};

/** Reads a kubelet's configuration, which needs the right to get nodes/proxy. @throws RequestError if it is not answered */
export async function readKubeletConfig(transport: Transport, node: string): Promise<KubeletConfig> {
	const answer = await transport.json(`/api/v1/nodes/${encodeURIComponent(node)}/proxy/configz`);
	const config = fieldsOf<Configz>(fieldsOf<{kubeletconfig: unknown}>(answer).kubeletconfig);
	const seconds = numberOf(config.nodeLeaseDurationSeconds);
	return {
		node,
		...(seconds !== undefined && seconds > 0 && {leaseDuration: seconds * second}),
		...present('statusUpdateFrequency', decodeDuration(config.nodeStatusUpdateFrequency)),
		...present('statusReportFrequency', decodeDuration(config.nodeStatusReportFrequency)),
	};
}
