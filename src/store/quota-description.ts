/** Quotas as clients read them from hbase:quota. HBase: QuotaRetriever, QuotaSettings.toString. */

import { fromBinary } from '@bufbuild/protobuf'
import type { CellParts } from '../model/cell.ts'
import { type Scan, scan } from '../model/query.ts'
import type { TableName } from '../model/table-name.ts'
import { nameIn } from '../wire/rpc/enum-names.ts'
import { TimeUnit } from '../wire/rpc/gen/hbase_pb.ts'
import {
  QuotaScope,
  type Quotas,
  QuotasSchema,
  SpaceViolationPolicy,
  type Throttle,
  type TimedQuota,
} from '../wire/rpc/gen/quota_pb.ts'
import { stripMagic } from '../wire/rpc/protobuf-magic.ts'

export const QUOTA_TABLE: TableName = 'hbase:quota' as TableName

export interface QuotaOwner {
  readonly user?: string
  readonly table?: string
  readonly namespace?: string
  readonly regionServer?: string
}

export interface QuotaSetting {
  readonly owner: QuotaOwner
  readonly text: string
}

const ROW = /^(?:([untr])\.)(.*)$/s
const SETTINGS = /^s(?:\.(.*))?$/s

/** The scan of the cells that have settings. */
export function quotaScan(): Scan {
  return scan({ columns: [{ family: Buffer.from('q'), qualifiers: undefined }] })
}

/** The settings of a cell; none for other cells of the table. */
export function* quotaSettingsOf({ row, qualifier, value }: CellParts): Generator<QuotaSetting> {
  const [, kind, name] = ROW.exec(row.toString()) ?? []
  const match = SETTINGS.exec(qualifier.toString())
  if (kind === undefined || match === null) return
  const quotas = readQuotas(value)
  const within = kind === 'u' ? match[1] : undefined
  const owner: QuotaOwner = {
    ...(kind === 'u' && { user: name! }),
    ...(kind === 't' && { table: name! }),
    ...(kind === 'n' && { namespace: name! }),
    ...(kind === 'r' && { regionServer: name! }),
    ...(within !== undefined &&
      (within.endsWith(':') ? { namespace: within.slice(0, -1) } : { table: within })),
  }
  const texts =
    quotas === undefined ? [`damaged: ${value.length} bytes that are no settings`] : settingTexts(quotas)
  for (const text of texts) yield { owner, text }
}

/** The quotas of a cell; undefined for a damaged value. Clients may write any bytes to hbase:quota, and the other rows must still be listed. */
function readQuotas(value: Buffer): Quotas | undefined {
  try {
    return fromBinary(QuotasSchema, stripMagic(value))
  } catch {
    return undefined
  }
}

const THROTTLES: readonly (readonly [type: string, limit: (throttle: Throttle) => TimedQuota | undefined])[] =
  [
    ['REQUEST_NUMBER', ({ reqNum }) => reqNum],
    ['REQUEST_SIZE', ({ reqSize }) => reqSize],
    ['WRITE_NUMBER', ({ writeNum }) => writeNum],
    ['WRITE_SIZE', ({ writeSize }) => writeSize],
    ['READ_NUMBER', ({ readNum }) => readNum],
    ['READ_SIZE', ({ readSize }) => readSize],
    ['REQUEST_CAPACITY_UNIT', ({ reqCapacityUnit }) => reqCapacityUnit],
    ['READ_CAPACITY_UNIT', ({ readCapacityUnit }) => readCapacityUnit],
    ['WRITE_CAPACITY_UNIT', ({ writeCapacityUnit }) => writeCapacityUnit],
  ]

function settingTexts({ throttle, bypassGlobals, space }: Quotas): string[] {
  const texts: string[] = []
  if (throttle !== undefined) {
    for (const [type, limit] of THROTTLES) {
      const quota = limit(throttle)
      if (quota !== undefined) texts.push(throttleText(type, quota))
    }
  }
  if (bypassGlobals) texts.push('GLOBAL_BYPASS => true')
  if (space !== undefined && !space.remove) {
    const policy = nameIn(SpaceViolationPolicy, space.violationPolicy)
    texts.push(`TYPE => SPACE, LIMIT => ${sizeText(space.softLimit)}, VIOLATION_POLICY => ${policy}`)
  }
  return texts
}

const UNIT_NAMES: Readonly<Record<string, string>> = {
  SECONDS: 'sec',
  MINUTES: 'min',
  HOURS: 'hour',
  DAYS: 'day',
}

function throttleText(type: string, { softLimit, timeUnit, scope }: TimedQuota): string {
  const limit = type.endsWith('_NUMBER')
    ? `${softLimit}req`
    : type.endsWith('_CAPACITY_UNIT')
      ? `${softLimit}CU`
      : sizeText(softLimit)
  const unit = nameIn(TimeUnit, timeUnit)
  const per = UNIT_NAMES[unit] ?? unit
  return `TYPE => THROTTLE, THROTTLE_TYPE => ${type}, LIMIT => ${limit}/${per}, SCOPE => ${nameIn(QuotaScope, scope)}`
}

const UNITS: readonly (readonly [suffix: string, shift: bigint])[] = [
  ['P', 50n],
  ['T', 40n],
  ['G', 30n],
  ['M', 20n],
  ['K', 10n],
]

/** A size in the greatest unit that it fills. HBase: QuotaSettings.sizeToString. */
function sizeText(bytes: bigint): string {
  for (const [suffix, shift] of UNITS) if (bytes >= 1n << shift) return `${bytes / (1n << shift)}${suffix}`
  return `${bytes}B`
}
