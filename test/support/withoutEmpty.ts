/** JSON without empty texts, lists and maps, false and null, which kubectl writes for some absent fields. */
export const withoutEmpty = (json: object): unknown =>
	JSON.parse(JSON.stringify(json), function (this: unknown, _, value: unknown) {
		if (Array.isArray(this)) return value;
		const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
		return value === null || value === '' || value === false || isEmpty ? undefined : value;
	});
