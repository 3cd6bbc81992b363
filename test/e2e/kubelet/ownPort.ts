import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {tlsFile} from '../../support/tlsFiles.ts';
import type {Cluster} from '../cluster.ts';
import type {Check} from '../judge.ts';
import {type Plugin, startPlugin} from '../plugin.ts';
import {allowInCluster, createUser, shippedRoles} from '../readOnly/users.ts';
import {nodeName} from './node.ts';

/** What of a `PressureForecastList` shows how the kubelet was asked. */
type Answer = {
	readonly metadata: {readonly problems: readonly {readonly reason: string; readonly message: string}[]};
	readonly items: readonly {readonly source: string | null}[];
};

/** Checks that an account with the rights that ship for it, and no more, reads the real kubelet at its own port alone. */
export async function judgeOwnPort(
	{admin, controlPlane}: Cluster,
	plugin: Plugin,
	folder: string,
): Promise<readonly Check[]> {
	const user = await createUser(admin, controlPlane.admin, folder, 'own-port');
	const files = ['base/read-only.yaml', 'kubelet-stats/cluster-role.yaml'];
	await allowInCluster(
		admin,
		user,
		files.flatMap((file) => shippedRoles(file).flatMap(({rules}) => rules)),
	);
	const ask = async (...flags: readonly string[]) => {
		const asked = {...plugin, kubeconfig: user.kubeconfig};
		const child = startPlugin(asked, ['pressure', nodeName, '-o', 'json', ...flags]);
		const [out] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')]);
		const {items, metadata} = JSON.parse(out) as Answer;
		return {source: items[0]?.source, problems: metadata.problems};
	};
	const flag = '--kubelet-certificate-authority';
	const own = await ask(flag, tlsFile('kubelet.pem'));
	const through = await ask();
	const untrusted = await ask(flag, tlsFile('ca.pem'));
	const isOfKubelets = ({reason}: {readonly reason: string}) => /^(?:Summary|KubeletConfig)/.test(reason);
	const flaw = (isRight: boolean, answer: object) => (isRight ? [] : [JSON.stringify(answer)]);
	return [
		{
			name: 'with nodes/stats and nodes/configz, a kubelet is read at its own port',
			failures: flaw(own.source === 'kubelet' && !own.problems.some(isOfKubelets), own),
		},
		{
			name: 'and not through the API server',
			failures: flaw(
				through.source !== 'kubelet' && through.problems.some(({reason}) => reason === 'SummaryForbidden'),
				through,
			),
		},
		{
			name: 'nor if its certificate is not trusted',
			failures: flaw(
				untrusted.source !== 'kubelet' &&
					untrusted.problems.some(({message}) => message.includes('serverTLSBootstrap')),
				untrusted,
			),
		},
	];
}
