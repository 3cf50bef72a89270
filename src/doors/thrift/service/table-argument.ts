import { HBaseError } from '../../../model/errors.ts'
import { DEFAULT_NAMESPACE, parseTableName, type TableName } from '../../../model/table-name.ts'
import { required } from './required.ts'

/** Parsed names by their text: clients state a table with every call. */
const known = new Map<string, TableName>()
const KNOWN_MAX = 1000

/** A table's name as UTF-8, `namespace:qualifier` or in the namespace default. Throws ILLEGAL_ARGUMENT. */
export function tableNameFromBytes(name: Buffer | undefined): TableName {
  const text = required(name, 'the name of the table').toString()
  let table = known.get(text)
  if (table === undefined) {
    // HBase has other words for an empty name of bytes than for one of text, as parseTableName has them.
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

/** Throws ILLEGAL_ARGUMENT. */
export function tableNameFromStruct(name: TTableName | undefined): TableName {
  const namespace = name?.ns?.toString() ?? ''
  const qualifier = name?.qualifier.toString() ?? ''
  return parseTableName(namespace === '' ? `${DEFAULT_NAMESPACE}:${qualifier}` : `${namespace}:${qualifier}`)
}
