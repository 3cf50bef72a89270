/** The format of rows of hbase:quota. HBase: QuotaTableUtil, QuotaUtil.QUOTA_TABLE_DESC. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import type { QuotaSubject } from '../../../model/quota.ts'
import type { TableName } from '../../../model/table-name.ts'

export const QUOTA_TABLE: TableName = 'hbase:quota' as TableName

/** The family of settings. */
export const INFO: Buffer = Buffer.from('q')
/** The family of results of the chores of HBase's master. */
export const USAGE: Buffer = Buffer.from('u')
export const SETTINGS: Buffer = Buffer.from('s')
/** The qualifier for the space that a table takes, and the resulting policy. */
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
  /** True where the removal of the settings deletes the whole row, for a user with those in tables and namespaces. */
  readonly isOfRow: boolean
}

export const NO_SUBJECT: QuotaSubject = {
  user: undefined,
  table: undefined,
  namespace: undefined,
  regionServer: undefined,
}

/** The owner of the settings: the user, else the table, else the namespace. Undefined: none is named. HBase: MasterQuotaManager.setQuota. */
export function addressee({ user, table, namespace, regionServer }: QuotaSubject): QuotaSubject | undefined {
  if (user !== undefined) {
    return { ...NO_SUBJECT, user, ...(table === undefined ? { namespace } : { table }) }
  }
  if (table !== undefined) return { ...NO_SUBJECT, table }
  if (namespace !== undefined) return { ...NO_SUBJECT, namespace }
  return regionServer === undefined ? undefined : { ...NO_SUBJECT, regionServer }
}

/** The cell of the settings; undefined where no owner is named. */
export function settingsCell(subject: QuotaSubject): SettingsCell | undefined {
  const { user, table, namespace, regionServer } = addressee(subject) ?? NO_SUBJECT
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

/** The table of the row; undefined for rows of other owners. */
export function tableOfRow(row: Buffer): TableName | undefined {
  const text = row.toString()
  return text.startsWith(TABLE_PREFIX) ? (text.slice(TABLE_PREFIX.length) as TableName) : undefined
}

export function namespaceOfRow(row: Buffer): string | undefined {
  const text = row.toString()
  return text.startsWith(NAMESPACE_PREFIX) ? text.slice(NAMESPACE_PREFIX.length) : undefined
}
