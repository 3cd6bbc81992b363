import {parseGoDuration} from '../../core/model/goValues.ts';
import type {KubeletConfig} from '../../core/model/kubeletConfig.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {fieldsOf, numberOf, textOf} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';

type Configz = {
	readonly nodeLeaseDurationSeconds: unknown;
	readonly nodeStatusUpdateFrequency: unknown;
	readonly nodeStatusReportFrequency: unknown;
};

/**
 * Asks a kubelet for its configuration, through the API server. That takes the right to get nodes/proxy.
 *
 * @throws RequestError where it is refused, or the kubelet does not answer
 */
export async function readKubeletConfig(transport: Transport, node: string): Promise<KubeletConfig> {
	const answer = await transport.json(`/api/v1/nodes/${encodeURIComponent(node)}/proxy/configz`);
	const config = fieldsOf<Configz>(fieldsOf<{kubeletconfig: unknown}>(answer).kubeletconfig);
	const seconds = numberOf(config.nodeLeaseDurationSeconds);
	const [update, report] = [config.nodeStatusUpdateFrequency, config.nodeStatusReportFrequency].map(
		durationOf,
	);
	return {
		node,
		...(seconds !== undefined && seconds > 0 && {leaseDuration: seconds * second}),
		...(update !== undefined && {statusUpdateFrequency: update}),
		...(report !== undefined && {statusReportFrequency: report}),
	};
}

function durationOf(value: unknown): Duration | undefined {
	try {
		return textOf(value) === '' ? undefined : parseGoDuration(textOf(value));
	} catch {
		return undefined;
	}
}
