import { HBaseError } from '../../../model/errors.ts'
import { DEFAULT_NAMESPACE, parseTableName, type TableName } from '../../../model/table-name.ts'
import { required } from './required.ts'

/** Parsed names by their text: clients send a table's name with every call. */
const known = new Map<string, TableName>()
const KNOWN_MAX = 1000

/** Parses a table's name in UTF-8: `namespace:qualifier`, or a name in the namespace `default`. Throws ILLEGAL_ARGUMENT. */
export function tableNameFromBytes(name: Buffer | undefined): TableName {
  const text = required(name, 'the name of the table').toString()
  let table = known.get(text)
  if (table === undefined) {
    // HBase's message for an empty name of bytes differs from that for an empty text, which parseTableName throws.
    if (text === '') throw new HBaseError('ILLEGAL_ARGUMENT', 'Table qualifier must not be empty')
    table = parseTableName(text)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, table)
  }
  return table
}

/** Thrift 2's TTableName. */
export interface TTableName {
  readonly ns?: Buffer
  readonly qualifier: Buffer
}

/** Parses the name in a TTableName. Throws ILLEGAL_ARGUMENT. */
export function tableNameFromStruct(name: TTableName | undefined): TableName {
  const namespace = name?.ns?.toString() ?? ''
  const qualifier = name?.qualifier.toString() ?? ''
  return parseTableName(namespace === '' ? `${DEFAULT_NAMESPACE}:${qualifier}` : `${namespace}:${qualifier}`)
}
