/** The tables and regions that a namespace may have, by its properties. HBase: TableNamespaceManager, NamespaceStateManager. */

import type { NamespaceDescriptor } from './descriptor.ts'
import { HBaseError, isHBaseError } from './errors.ts'

const MAX_TABLES = 'hbase.namespace.quota.maxtables'
const MAX_REGIONS = 'hbase.namespace.quota.maxregions'

const LONG_MAX = 0x7fff_ffff_ffff_ffffn

export interface NamespaceLimits {
  readonly tablesMax: bigint
  readonly regionsMax: bigint
}

/** Long.MAX_VALUE is no limit. Throws DO_NOT_RETRY for a property that is no number. */
export function namespaceLimits({ properties }: Pick<NamespaceDescriptor, 'properties'>): NamespaceLimits {
  const regionsMax = limitOf(properties.get(MAX_REGIONS), 'regions')
  return { regionsMax, tablesMax: limitOf(properties.get(MAX_TABLES), 'tables') }
}

export function hasLimits({ properties }: Pick<NamespaceDescriptor, 'properties'>): boolean {
  return properties.has(MAX_TABLES) || properties.has(MAX_REGIONS)
}

/** Throws CONSTRAINT for a limit below 1, also where quotas are off. HBase: TableNamespaceManager.validateTableAndRegionCount. */
export function checkNamespaceLimits(namespace: NamespaceDescriptor): void {
  const regionsMax = limitOf(namespace.properties.get(MAX_REGIONS), 'regions')
  if (regionsMax <= 0n) throw belowOne('region', namespace.name)
  const tablesMax = limitOf(namespace.properties.get(MAX_TABLES), 'tables')
  if (tablesMax <= 0n) throw belowOne('tables', namespace.name)
}

function belowOne(what: string, namespace: string): HBaseError {
  return new HBaseError('CONSTRAINT', `The max ${what} quota for ${namespace} is less than or equal to zero.`)
}

/** The limit that the text states, read as Long.parseLong does. */
function limitOf(text: string | undefined, what: string): bigint {
  if (text === undefined || text === '') return LONG_MAX
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : LONG_MAX + 1n
  if (value <= LONG_MAX && value >= -LONG_MAX - 1n) return value
  throw new HBaseError('DO_NOT_RETRY', `NumberFormatException while getting max ${what}.`)
}

const QUOTA_EXCEEDED = 'org.apache.hadoop.hbase.quotas.QuotaExceededException'

export function quotaExceeded(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, { javaClass: QUOTA_EXCEEDED })
}

export function isQuotaExceeded(error: unknown): boolean {
  return isHBaseError(error) && error.javaClass === QUOTA_EXCEEDED
}
