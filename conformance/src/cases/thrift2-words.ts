/** Structs of Thrift 2 in a few words, and calls by position. */

import type { Request } from '../runner/case.ts'
import { type Argument, type Caller, caller, type Fields } from './thrift-caller.ts'

export const call: Caller = caller('thrift2')

export function name(qualifier: string, ns?: string): Fields {
  return ns === undefined ? { qualifier } : { ns, qualifier }
}

export function family(text: string, fields: Fields = {}): Fields {
  return { name: text, ...fields }
}

export function table(qualifier: string, columns: Argument, fields: Fields = {}): Fields {
  return { tableName: name(qualifier), columns, ...fields }
}

export function column(of: string, qualifier?: string, timestamp?: bigint): Fields {
  return { family: of, qualifier, timestamp }
}

export function cell(of: string, qualifier: string, value: string, fields: Fields = {}): Fields {
  return { family: of, qualifier, value, ...fields }
}

export function put(row: string, columnValues: readonly Argument[], fields: Fields = {}): Fields {
  return { row, columnValues, ...fields }
}

export function range(minStamp: bigint, maxStamp: bigint): Fields {
  return { minStamp, maxStamp }
}

/** Three versions of f:a, f:b and g: in the row, at 1, 2 and 3. */
export function filled(of: string, row: string): Request[] {
  return [1n, 2n, 3n].map((timestamp) =>
    call(
      'put',
      of,
      put(
        row,
        [cell('f', 'a', `a${timestamp}`), cell('f', 'b', `b${timestamp}`), cell('g', '', `g${timestamp}`)],
        {
          timestamp,
        },
      ),
    ),
  )
}

export function reading(of: string, row: string): Request {
  return call('get', of, { row, maxVersions: 9 })
}
