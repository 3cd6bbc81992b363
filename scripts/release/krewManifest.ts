import {stringify} from 'yaml';
import {archiveName, executableName, platforms} from './platforms.ts';

/** The data of a manifest. */
type Release = {
	/** Without a leading v. */
	readonly version: string;
	/** The project's address; its releases are below it. */
	readonly homepage: string;
	/** Checksums of the archives, by name. */
	readonly checksums: ReadonlyMap<string, string>;
};

const description = `Reads the cluster, and never writes to it: leases, node conditions, taints and
tolerations. Reruns locally what the node lifecycle controller, the taint
eviction controller and the kubelets do, and tells which pods they evict next,
when, and why: each time with its range, and each range with its reasons.
`;

const caveats = `Needs to get, list and watch nodes, pods, events and leases in the whole
cluster. Where your role allows less, it says what it cannot see.
The role to ask for: deploy/base/read-only.yaml in the repository.
`;

/** The krew manifest of the plugin. @throws Error if an archive has no checksum */
export function krewManifest({version, homepage, checksums}: Release): string {
	return stringify(
		{
			apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
			kind: 'Plugin',
			metadata: {name: 'evictwatch'},
			spec: {
				version: `v${version}`,
				homepage,
				shortDescription: 'Predict which pods an outage evicts, and when',
				description,
				caveats,
				platforms: platforms.map((platform) => {
					const archive = archiveName(version, platform);
					const sha256 = checksums.get(archive);
					if (sha256 === undefined) throw new Error(`${archive} has no checksum; run npm run package first`);
					return {
						selector: {matchLabels: {os: platform.os, arch: platform.arch}},
						uri: `${homepage}/releases/download/v${version}/${archive}`,
						sha256,
						bin: executableName(platform),
					};
				}),
			},
		},
		{lineWidth: 0},
	);
}
