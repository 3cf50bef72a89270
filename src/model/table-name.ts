/**
 * Table and namespace names. A TableName is the canonical text: `namespace:qualifier`, or the bare qualifier in the
 * namespace `default`. Rules and wording: org.apache.hadoop.hbase.TableName.
 */

import { compareText } from './compare-text.ts'
import { HBaseError } from './errors.ts'

export type TableName = string & { readonly __brand: 'TableName' }

export const DEFAULT_NAMESPACE = 'default'
export const SYSTEM_NAMESPACE = 'hbase'

/** HBase keeps a table's state in a row of hbase:meta that is named like the table, and a row has no more bytes. */
export const NAME_BYTES_MAX = 32_767
/** A letter of UTF-16 has no more bytes in UTF-8. */
const LETTER_BYTES_MAX = 3

const PLAIN_NAMESPACE = /^\w*$/
const PLAIN_QUALIFIER = /^[\w.-]*$/
const NAMESPACE_CHARACTER = /[\p{Alphabetic}\p{Nd}_]/u
const QUALIFIER_CHARACTER = /[\p{Alphabetic}\p{Nd}_\-.]/u

function illegal(message: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', message)
}

/** Throws ILLEGAL_ARGUMENT for a name that HBase refuses. */
export function parseTableName(text: string): TableName {
  if (text.length === 0) throw illegal('Name is null or empty')
  checkLength(text, 'table')
  const colon = text.indexOf(':')
  const namespace = colon < 0 ? DEFAULT_NAMESPACE : text.slice(0, colon)
  const qualifier = colon < 0 ? text : text.slice(colon + 1)
  checkNamespaceName(namespace)
  checkQualifier(qualifier)
  return (namespace === DEFAULT_NAMESPACE ? qualifier : text) as TableName
}

/** Throws ILLEGAL_ARGUMENT. HBase: TableName.isLegalNamespaceName. */
export function checkNamespaceName(namespace: string): void {
  if (namespace.length === 0) throw illegal('Namespace name must not be empty')
  checkLength(namespace, 'namespace')
  const wrong = PLAIN_NAMESPACE.test(namespace) ? -1 : indexOfOther(namespace, NAMESPACE_CHARACTER)
  if (wrong >= 0) {
    throw illegal(
      `Illegal character <${shownUnit(namespace, wrong)}> at ${wrong}. ` +
        `Namespaces may only contain 'alphanumeric characters' from any language and digits: ${namespace}`,
    )
  }
  if (namespace === 'zookeeper') throw illegal("Namespace name cannot be 'zookeeper'")
}

/** Throws ILLEGAL_ARGUMENT. HBase: TableName.isLegalTableQualifierName, of a snapshot. */
export function checkSnapshotName(name: string): void {
  if (name.length === 0) throw illegal('Snapshot qualifier must not be empty')
  checkLength(name, 'snapshot')
  checkCharacters(name, 'Snapshot')
}

function checkLength(name: string, kind: string): void {
  if (name.length * LETTER_BYTES_MAX <= NAME_BYTES_MAX) return
  const bytes = Buffer.byteLength(name)
  if (bytes > NAME_BYTES_MAX)
    throw illegal(`the name of a ${kind} has ${bytes} bytes: no name can have more than ${NAME_BYTES_MAX}`)
}

function checkQualifier(qualifier: string): void {
  if (qualifier.length === 0) throw illegal('Table qualifier must not be empty')
  if (qualifier === 'zookeeper') throw illegal("Tables may not be named 'zookeeper'")
  checkCharacters(qualifier, 'User-space table')
}

function checkCharacters(name: string, kind: string): void {
  const first = name[0]!
  if (first === '.' || first === '-') {
    throw illegal(
      `Illegal first character <${first.charCodeAt(0)}> at 0. ${kind} qualifiers can only start with 'alphanumeric ` +
        `characters' from any language: ${name}`,
    )
  }
  const wrong = PLAIN_QUALIFIER.test(name) ? -1 : indexOfOther(name, QUALIFIER_CHARACTER)
  if (wrong >= 0) {
    throw illegal(
      `Illegal character code:${name.charCodeAt(wrong)}, <${shownUnit(name, wrong)}> at ${wrong}. ` +
        `${kind} qualifiers may only contain 'alphanumeric characters' and digits: ${name}`,
    )
  }
}

/**
 * The index of the first character that is none of the wanted ones, -1 where all are.
 * QUIRK rest-url-name-percent-u10000: HBase looks at each half of a surrogate pair by itself, and neither is a letter.
 */
function indexOfOther(name: string, wanted: RegExp): number {
  for (let i = 0; i < name.length; i++) {
    if (!wanted.test(name[i]!)) return i
  }
  return -1
}

/** Java writes half of a surrogate pair as a question mark. */
function shownUnit(name: string, index: number): string {
  const unit = name[index]!
  return /[\ud800-\udfff]/.test(unit) ? '?' : unit
}

export function namespaceOf(table: TableName): string {
  const colon = table.indexOf(':')
  return colon < 0 ? DEFAULT_NAMESPACE : table.slice(0, colon)
}

export function qualifierOf(table: TableName): string {
  return table.slice(table.indexOf(':') + 1)
}

export function isSystemTable(table: TableName): boolean {
  return namespaceOf(table) === SYSTEM_NAMESPACE
}

/** The order by namespace, the default one under its name, then by qualifier. */
export function compareTableNames(a: TableName, b: TableName): number {
  return compareText(namespaceOf(a), namespaceOf(b)) || compareText(qualifierOf(a), qualifierOf(b))
}
