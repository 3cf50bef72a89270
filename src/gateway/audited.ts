/**
 * A door's store, of which each change and each request of rows has a line in the audit log. Whatever decorator below refuses a
 * call, by a permission or a quota, needs no more than to throw: the line tells it.
 */

import { type ErrorCode, type HBaseError, isHBaseError } from '../model/errors.ts'
import type { Call } from '../store/call.ts'
import { withFacets, withMethods } from '../store/decorate.ts'
import type { MutationFailure } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { LabelOutcome } from '../store/visibility-labels.ts'
import { changeTold } from './audit-details.ts'
import type { AuditLog } from './audit-log.ts'

/** Errors by which a caller hears that he may not do it. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['ACCESS_DENIED', 'READ_ONLY', 'THROTTLED'])

/** They answer an outcome for each label. */
const LABEL_CHANGES: ReadonlySet<string> = new Set(['addLabels', 'setAuths', 'clearAuths'])

/** Doors look these up for nearly every request: they have a line only where they are refused. */
const LOOKUPS: ReadonlySet<string> = new Set([
  'listNamespaces',
  'namespace',
  'listTables',
  'listSystemTables',
  'table',
  'tableExists',
  'tableState',
  'regions',
  'watch',
  'compactionState',
  'listSnapshots',
  'isOn',
  'regionLoads',
  'storeFiles',
  'hbaseVersion',
  'status',
  'quotaStates',
  'tableSizes',
  'serverSpaceUses',
  'areEnforced',
  'areOfCells',
  'userPermissions',
  'hasPermissions',
  'checkPermissions',
  'requireAdmin',
])

export function audited<Own extends Store>(
  store: Own,
  log: AuditLog,
  door: string,
): Store & Pick<Own, 'catalog'> {
  const told = <Facet extends object>(facet: Facet): Facet => auditedFacet(facet, log, door)
  const parts = Object.entries(store.upkeep).map(([name, part]) => [name, told(part as object)] as const)
  return withFacets(store, {
    rows: told(store.rows),
    catalog: told<Own['catalog']>(store.catalog),
    upkeep: Object.fromEntries(parts),
  })
}

type Method = (...args: unknown[]) => unknown

function auditedFacet<Facet extends object>(facet: Facet, log: AuditLog, door: string): Facet {
  const methods = withMethods(facet, {}) as Record<string, unknown>
  for (const [name, value] of Object.entries(methods)) {
    if (typeof value !== 'function') continue
    const method = value as Method
    methods[name] = (...args: unknown[]) => {
      const call = args.find(isCall)
      // Acts of the server itself are no client's.
      if (call === undefined || call.isOwn) return method(...args)
      return toldOf(() => method(...args), { log, door, call, name, args })
    }
  }
  return methods as Facet
}

interface Doing {
  readonly log: AuditLog
  readonly door: string
  readonly call: Call
  readonly name: string
  readonly args: readonly unknown[]
}

async function toldOf(work: () => unknown, doing: Doing): Promise<unknown> {
  try {
    const value = await work()
    tell(doing, errorIn(doing.name, value))
    return value
  } catch (error) {
    tell(doing, error)
    throw error
  }
}

/** Some methods answer failures of the parts of a request: a refusal counts before other failures. */
function errorIn(name: string, value: unknown): HBaseError | undefined {
  let errors: (HBaseError | undefined)[] = []
  if (name === 'mutate') errors = (value as readonly MutationFailure[]).map(({ error }) => error)
  else if (LABEL_CHANGES.has(name)) errors = [...(value as readonly LabelOutcome[])]
  return errors.find((error) => error !== undefined && REFUSALS.has(error.code)) ?? errors.find(isHBaseError)
}

function tell({ log, door, call, name, args }: Doing, error: unknown): void {
  const isRefused = isHBaseError(error) && REFUSALS.has(error.code)
  if (!isRefused && LOOKUPS.has(name)) return
  log.write({
    door,
    user: call.principal?.user,
    realUser: call.principal?.realUser,
    address: call.address,
    action: name,
    ...(changeTold(name, args) ?? { scope: scopeOf(args[0]) }),
    allowed: !isRefused,
    ...(isRefused && { reason: error.message }),
    ...(error !== undefined && !isRefused && { failure: isHBaseError(error) ? error.code : 'INTERNAL' }),
  })
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'principal' in value && 'deadline' in value
}

/** What the first argument of a method names: a table, a region's table, a namespace, a snapshot, or whose quota it is. */
function scopeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return tableOfRegion(value)
  if (Array.isArray(value)) return value.length === 0 ? undefined : scopeOf(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { table, namespace, user, regionServer, name } = value as Readonly<Record<string, unknown>>
  const whose = typeof user === 'string' ? `user ${user}` : undefined
  const where = [table, namespace, regionServer, name].find((each) => typeof each === 'string')
  return [whose, where].filter((part) => part !== undefined).join(' ') || undefined
}

/** A region's full name has a row key behind its table. */
function tableOfRegion(region: Buffer): string {
  const text = region.toString('latin1')
  return text.includes(',') ? text.slice(0, text.indexOf(',')) : text
}
