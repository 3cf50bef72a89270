/** The Java package of HBase's filters and comparators, with the point behind it. */
export const FILTER_PACKAGE = 'org.apache.hadoop.hbase.filter.'

/** The simple name of a class of that package; empty for a class of another package. */
export function simpleName(className: string): string {
  return className.startsWith(FILTER_PACKAGE) ? className.slice(FILTER_PACKAGE.length) : ''
}
