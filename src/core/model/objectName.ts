/** What names an object in a namespace. */
export type ObjectName = {readonly namespace: string; readonly name: string};

/** Maps objects to their names. */
export const nameOf = ({name}: {readonly name: string}) => name;
