import type {Message} from '../../src/cluster/codec/wire/message.ts';

/** A proxy that records the path of every field that is read. */
export function noting(value: unknown, path: string, read: Set<string>): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return new Proxy(value, {
		get(target, key, receiver) {
			const inner: unknown = Reflect.get(target, key, receiver);
			if (typeof key === 'symbol' || typeof inner === 'function') return inner;
			if (Array.isArray(target)) return noting(inner, path, read);
			read.add(`${path}.${key}`);
			return noting(inner, `${path}.${key}`, read);
		},
	});
}

/** The paths of all fields that a message description reads. */
export function pathsOf(message: Message, path = ''): readonly string[] {
	return message.flatMap((field) => {
		if (!field) return [];
		if (field.type === 'inline') return pathsOf(field.message ?? [], path);
		const own = `${path}.${field.name}`;
		if (field.type === 'message' || field.type === 'list') return [own, ...pathsOf(field.message ?? [], own)];
		if (field.type === 'map') return [own, ...(field.keys ?? []).map((key) => `${own}.${key}`)];
		return field.type === 'json' ? [own, `${own}.f:spec`, `${own}.f:spec.${field.holding}`] : [own];
	});
}
