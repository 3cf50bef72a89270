/** The Java package of HBase's filters and comparators, with the point behind it. */
export const FILTER_PACKAGE = 'org.apache.hadoop.hbase.filter.'

/** The name of a class of that package without it; of another class an empty one. */
export function simpleName(className: string): string {
  return className.startsWith(FILTER_PACKAGE) ? className.slice(FILTER_PACKAGE.length) : ''
}
