/** What names an object in a namespace. */
export type ObjectName = {readonly namespace: string; readonly name: string};
