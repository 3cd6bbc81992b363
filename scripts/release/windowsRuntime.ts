import {NtExecutable, NtExecutableResource, Resource} from 'resedit';

/**
 * Windows' Node.js as this program: under its name and version, and without the signature of Node.js, which holds no longer.
 */
export function asProgram(file: Buffer, version: string): Buffer {
	const executable = NtExecutable.from(file, {ignoreCert: true});
	const resources = NtExecutableResource.from(executable);
	for (const info of Resource.VersionInfo.fromEntries(resources.entries)) {
		for (const language of info.getAllLanguagesForStringValues()) {
			info.setStringValues(language, {
				ProductName: 'kubectl evictwatch',
				FileDescription: 'kubectl evictwatch',
				CompanyName: 'kubectl evictwatch',
				InternalName: 'kubectl-evictwatch',
				OriginalFilename: 'kubectl-evictwatch.exe',
			});
		}
		info.setFileVersion(version);
		info.setProductVersion(version);
		info.outputToResourceEntries(resources.entries);
	}
	resources.outputResource(executable);
	return Buffer.from(executable.generate());
}
