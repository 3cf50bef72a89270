/** Requests of ClientService in a few words. */

import { RegionOf, type RpcFields, type RpcRequest, type RpcValue, rpc } from '../runner/case.ts'
import { bytes } from './thrift2-requests.ts'

export const MutationType = { append: 0, increment: 1, put: 2, delete: 3 } as const
export const DeleteKind = { version: 0, column: 1, family: 2, familyVersion: 3 } as const
export const CompareType = {
  less: 0,
  lessOrEqual: 1,
  equal: 2,
  notEqual: 3,
  greaterOrEqual: 4,
  greater: 5,
  noOp: 6,
} as const
const REGION_NAME = 1
const ENCODED_REGION_NAME = 2

export function region(table: string, row = ''): RpcFields {
  return { type: REGION_NAME, value: new RegionOf(table, bytes(row)) }
}

export function encodedRegion(table: string, row = ''): RpcFields {
  return { type: ENCODED_REGION_NAME, value: new RegionOf(table, bytes(row), { isEncoded: true }) }
}

export function replica(table: string, row = '', number = 1): RpcFields {
  return { type: REGION_NAME, value: new RegionOf(table, bytes(row), { replica: number }) }
}

/** Columns of a query: `f`, `f:q`, several of one family together. */
export function columns(...names: readonly string[]): RpcFields[] {
  const families = new Map<string, Buffer[]>()
  for (const name of names) {
    const colon = name.indexOf(':')
    const family = colon < 0 ? name : name.slice(0, colon)
    const qualifiers = families.get(family) ?? []
    if (colon >= 0) qualifiers.push(bytes(name.slice(colon + 1)))
    families.set(family, qualifiers)
  }
  return [...families].map(([family, qualifier]) => ({ family: bytes(family), qualifier }))
}

export function get(table: string, row: string, options: RpcFields = {}): RpcRequest {
  return rpc('ClientService', 'Get', { region: region(table, row), get: { row: bytes(row), ...options } })
}

/** A whole scan of one region in one call. */
export function scanAll(table: string, options: RpcFields = {}, numberOfRows = 1000): RpcRequest {
  const start = Buffer.isBuffer(options['startRow']) ? options['startRow'].toString('latin1') : ''
  return rpc('ClientService', 'Scan', {
    region: region(table, start),
    scan: options,
    numberOfRows,
    closeScanner: true,
  })
}

/** A value of a column: `[name, value, timestamp, kind of delete]`. */
export type ColumnChange = readonly [
  name: string,
  value?: string | undefined,
  timestamp?: bigint | undefined,
  deleteType?: number | undefined,
]

export function columnValues(changes: readonly ColumnChange[]): RpcFields[] {
  return changes.map(([name, value, timestamp, deleteType]) => {
    const colon = name.indexOf(':')
    const family = colon < 0 ? name : name.slice(0, colon)
    const qualifier = colon < 0 ? undefined : bytes(name.slice(colon + 1))
    return {
      family: bytes(family),
      qualifierValue: [
        { qualifier, value: value === undefined ? undefined : bytes(value), timestamp, deleteType },
      ],
    }
  })
}

export function mutation(
  row: string,
  mutateType: number,
  changes: readonly ColumnChange[],
  options: RpcFields = {},
): RpcFields {
  return { row: bytes(row), mutateType, columnValue: columnValues(changes), ...options }
}

export function mutate(table: string, change: RpcFields, options: RpcFields = {}): RpcRequest {
  const { row } = change
  const at = Buffer.isBuffer(row) ? row.toString('latin1') : ''
  return rpc('ClientService', 'Mutate', { region: region(table, at), mutation: change, ...options })
}

export function regionAction(
  table: string,
  actions: readonly RpcFields[],
  options: RpcFields = {},
  row = '',
): RpcFields {
  const action: RpcValue = actions.map((each, index) => ({ index, ...each }))
  return { region: region(table, row), action, ...options }
}

export function multi(regionActions: readonly RpcFields[], options: RpcFields = {}): RpcRequest {
  return rpc('ClientService', 'Multi', { regionAction: regionActions, ...options })
}

/** HBase: BinaryComparator, as a Comparator message. */
export function binaryComparator(value: string): RpcFields {
  const inner = Buffer.concat([Buffer.from([0x0a, value.length]), bytes(value)])
  const serialized = Buffer.concat([Buffer.from([0x0a, inner.length]), inner])
  return {
    name: 'org.apache.hadoop.hbase.filter.BinaryComparator',
    serializedComparator: serialized,
  }
}
