/** The classes that a table asks a region server to load, as its attributes `coprocessor$1`, `coprocessor$2` and so on name them. */

import type { TableDescriptor } from './descriptor.ts'

/** HBase: HConstants.CP_HTD_ATTR_KEY_PATTERN and CP_HTD_ATTR_VALUE_PATTERN: `path of a jar|class|priority|arguments`. */
const KEY = /^coprocessor\$\d+$/i
const VALUE = /^([^|]*)\|([^|]+)\|\s*(\d*)\s*(?:\|.*)?$/

/** Their work is built in. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'org.apache.hadoop.hbase.coprocessor.AggregateImplementation',
  'org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint',
])

/**
 * A fault for each class that a store without Java does not have: a table whose puts are to be checked or changed by one
 * must not look as if they were. HBase: RegionCoprocessorHost.testTableCoprocessorAttrs, which finds more classes.
 */
export function* coprocessorFaults({ attributes }: TableDescriptor): Generator<string> {
  for (const [key, value] of attributes) {
    // A value of another form names nothing: HBase passes over it.
    const [, jar, name] = (KEY.test(key) && VALUE.exec(value)) || []
    if (name === undefined || name.trim() === '') continue
    if (jar!.trim() !== '' || !BUILT_IN.has(name.trim())) yield `Class ${name.trim()} cannot be loaded`
  }
}
