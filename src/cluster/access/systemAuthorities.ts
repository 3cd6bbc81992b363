/**
 * Whom the operating system trusts, in PEM: taken where a cluster names no certificate authority, as kubectl does. Those
 * that come with Node.js make up for a system without any. SSL_CERT_FILE and SSL_CERT_DIR, which Node.js reads itself,
 * replace the system's list, and then nothing else is trusted.
 */
export function systemAuthorities(): string[] {
	const {getCACertificates} = process.getBuiltinModule('node:tls');
	const system = getCACertificates('system');
	const isChosen = Boolean(process.env['SSL_CERT_FILE'] || process.env['SSL_CERT_DIR']);
	return isChosen ? [...system, ...getCACertificates('extra')] : [...getCACertificates('default'), ...system];
}
