/** The rows of hbase:quota. HBase: QuotaTableUtil, QuotaUtil.QUOTA_TABLE_DESC. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import type { QuotaSubject } from '../../../model/quota.ts'
import type { TableName } from '../../../model/table-name.ts'

export const QUOTA_TABLE: TableName = 'hbase:quota' as TableName

/** Settings. */
export const INFO: Buffer = Buffer.from('q')
/** What the chores of HBase's master find out. */
export const USAGE: Buffer = Buffer.from('u')
export const SETTINGS: Buffer = Buffer.from('s')
/** The space that a table takes, and what follows from it. */
export const POLICY: Buffer = Buffer.from('p')
export const EXCEEDING_ROW: Buffer = Buffer.from('exceedThrottleQuota')

const TABLE_PREFIX = 't.'
const NAMESPACE_PREFIX = 'n.'

export const QUOTA_DESCRIPTOR: TableDescriptor = tableDescriptor(QUOTA_TABLE, [
  familyDescriptor(INFO.toString()),
  familyDescriptor(USAGE.toString()),
])

export function tableRow(table: TableName): Buffer {
  return Buffer.from(TABLE_PREFIX + table)
}

export function namespaceRow(namespace: string): Buffer {
  return Buffer.from(NAMESPACE_PREFIX + namespace)
}

export function regionServerRow(server: string): Buffer {
  return Buffer.from(`r.${server}`)
}

export interface SettingsCell {
  readonly row: Buffer
  readonly qualifier: Buffer
  /** Removed, they take the whole row along, and with a user's own settings those in tables and namespaces. */
  readonly isOfRow: boolean
}

const NOBODY: QuotaSubject = {
  user: undefined,
  table: undefined,
  namespace: undefined,
  regionServer: undefined,
}

/** Whose settings they are: those of a user first, then of a table. Undefined: nobody's. HBase: MasterQuotaManager.setQuota. */
export function addressee({ user, table, namespace, regionServer }: QuotaSubject): QuotaSubject | undefined {
  if (user !== undefined) {
    return { ...NOBODY, user, ...(table === undefined ? { namespace } : { table }) }
  }
  if (table !== undefined) return { ...NOBODY, table }
  if (namespace !== undefined) return { ...NOBODY, namespace }
  return regionServer === undefined ? undefined : { ...NOBODY, regionServer }
}

/** Where the settings are. */
export function settingsCell(subject: QuotaSubject): SettingsCell | undefined {
  const { user, table, namespace, regionServer } = addressee(subject) ?? NOBODY
  if (user !== undefined) {
    const row = Buffer.from(`u.${user}`)
    const within = table ?? (namespace === undefined ? undefined : `${namespace}:`)
    if (within === undefined) return { row, qualifier: SETTINGS, isOfRow: true }
    return { row, qualifier: Buffer.from(`s.${within}`), isOfRow: false }
  }
  if (table !== undefined) return ofRow(tableRow(table))
  if (namespace !== undefined) return ofRow(namespaceRow(namespace))
  return regionServer === undefined ? undefined : ofRow(regionServerRow(regionServer))
}

function ofRow(row: Buffer): SettingsCell {
  return { row, qualifier: SETTINGS, isOfRow: true }
}

/** The table whose row it is. */
export function tableOfRow(row: Buffer): TableName | undefined {
  const text = row.toString()
  return text.startsWith(TABLE_PREFIX) ? (text.slice(TABLE_PREFIX.length) as TableName) : undefined
}

export function namespaceOfRow(row: Buffer): string | undefined {
  const text = row.toString()
  return text.startsWith(NAMESPACE_PREFIX) ? text.slice(NAMESPACE_PREFIX.length) : undefined
}
