import {Document} from 'yaml';
import {archiveName, executableName, type Platform, platforms} from './platforms.ts';

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

/** Of the manifest, and of the template that krew-release-bot fills in. */
const heads = {
	manifest: ` Made by \`npm run release\`, and by nothing else: the checksums are those of the archives of this version's tag.
 Until that release is published, its addresses lead nowhere.`,
	template: ` Made by \`npm run release\`: krew-release-bot fills in the tag and the checksums of a published release.`,
};

/** The krew manifest of the plugin. @throws Error if an archive has no checksum */
export function krewManifest({version, homepage, checksums}: Release): string {
	return manifestOf(heads.manifest, `v${version}`, homepage, (platform) => {
		const archive = archiveName(version, platform);
		const sha256 = checksums.get(archive);
		if (sha256 === undefined) throw new Error(`${archive} has no checksum; run npm run package first`);
		return {uri: `${homepage}/releases/download/v${version}/${archive}`, sha256};
	});
}

/** The same as a template for krew-release-bot: `.krew.yaml`. */
export function krewTemplate(homepage: string): string {
	const tag = '{{ .TagName }}';
	const text = manifestOf(heads.template, tag, homepage, (platform) => {
		const archive = archiveName('', platform).replace('_v_', `_${tag}_`);
		return {addURIAndSha: `${homepage}/releases/download/${tag}/${archive}`};
	});
	// The bot's function writes the address and the checksum as two lines.
	return text
		.replaceAll(/^( *)addURIAndSha: "?(.*?)"?$/gm, '$1{{addURIAndSha "$2" .TagName | indent 6 }}')
		.replace(`version: "${tag}"`, `version: ${tag}`);
}

function manifestOf(
	head: string,
	version: string,
	homepage: string,
	source: (platform: Platform) => object,
): string {
	const document = new Document({
		apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
		kind: 'Plugin',
		metadata: {name: 'evictwatch'},
		spec: {
			version,
			homepage,
			shortDescription: 'Predict which pods an outage evicts, and when',
			description,
			caveats,
			platforms: platforms.map((platform) => ({
				selector: {
					matchLabels: {os: platform.os, ...(platform.os !== 'windows' && {arch: platform.arch})},
				},
				...source(platform),
				bin: executableName(platform),
			})),
		},
	});
	document.commentBefore = head;
	return document.toString({lineWidth: 0});
}
