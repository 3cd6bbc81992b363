import {BlockList, isIP} from 'node:net';
import type {Environment} from '../access/environment.ts';

/**
 * The proxy for a server: the cluster's `proxy-url`, else that of the environment, unless NO_PROXY or the loopback rule
 * excludes the server. Undefined for a direct connection.
 *
 * @upstream golang.org/x/net http/httpproxy/proxy.go ProxyFunc, as kubectl uses it
 */
export function proxyFor(
	server: URL,
	proxyUrl: string | undefined,
	env: Environment['env'],
): string | undefined {
	if (proxyUrl) return proxyUrl;
	const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
	const proxy = env[name] || env[name.toLowerCase()];
	if (!proxy || isExcepted(server, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined;
	return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isExcepted(server: URL, noProxy: string) {
	const host = server.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
	const port = server.port || (server.protocol === 'https:' ? '443' : '80');
	if (host === 'localhost' || isListed(loopback, host)) return true;
	return noProxy
		.split(',')
		.map((rule) => rule.trim().toLowerCase())
		.some((rule) => rule !== '' && matchesRule(rule, host, port));
}

function matchesRule(rule: string, host: string, port: string): boolean {
	if (rule === '*') return true;
	const subnet = /^(.+)\/(\d+)$/.exec(rule);
	if (subnet) return isInSubnet(host, subnet[1] ?? '', Number(subnet[2]));
	// An IPv6 address is in brackets only if a port follows.
	const split = isIP(rule) === 0 ? /^(?:\[(.*)\]|([^:]*)):(\d*)$/.exec(rule) : null;
	const [name, rulePort] = split ? [split[1] ?? split[2] ?? '', split[3]] : [rule, ''];
	if (name === '' || (rulePort && rulePort !== port)) return false;
	if (isIP(host) || isIP(name)) return isInSubnet(host, name);
	// `example.com` includes its subdomains; `.example.com` and `*.example.com` match only these.
	const domain = name.replace(/^\*(?=\.)/, '');
	return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

/** Whether a host is in a network, or has the same address, which can be written in several ways. */
function isInSubnet(host: string, network: string, prefix?: number) {
	const [family, longest] = isIP(network) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
	if (isIP(network) === 0 || (prefix ?? longest) > longest) return false;
	const subnet = new BlockList();
	subnet.addSubnet(network, prefix ?? longest, family);
	return isListed(subnet, host);
}

function isListed(list: BlockList, host: string) {
	const family = isIP(host);
	return family !== 0 && list.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
