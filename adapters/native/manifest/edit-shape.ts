/**
 * Whether a decoded record of the manifest is an edit. Its checksum is right by then, so that a wrong shape comes from a
 * faulty version of Tidegate or a change by hand: the store must say so rather than fail somewhere else later.
 */

import type { ManifestEdit } from './manifest-edit.ts'

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isBytes: Check = (value) => Buffer.isBuffer(value)
const isDecimal: Check = (value) => isText(value) && /^-?\d{1,19}$/.test(value as string)
const isBoolean: Check = (value) => typeof value === 'boolean'

function listOf(element: Check): Check {
  return (value) => Array.isArray(value) && value.every(element)
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

function record(shape: Shape): Check {
  const checks = Object.entries(shape)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    return checks.every(([name, check]) => check((value as Record<string, unknown>)[name]))
  }
}

const isAttributes = listOf((pair) => listOf(isText)(pair) && (pair as readonly unknown[]).length === 2)

const isFile = record({
  number: isNumber,
  family: isBytes,
  maxSequenceId: isNumber,
  owner: optional(isText),
  id: optional(isText),
  from: optional(isBytes),
  to: optional(isBytes),
})

const isRegion = record({
  number: isNumber,
  regionId: isNumber,
  startKey: isBytes,
  endKey: isBytes,
  flushedSequenceId: isNumber,
  files: listOf(isFile),
  isClosed: optional(isBoolean),
  closedCopies: optional(listOf(isNumber)),
})

const isFamily = record({
  name: isBytes,
  attributes: isAttributes,
  configuration: optional(isAttributes),
  sinceSequenceId: isNumber,
})

const SHOWN_TABLE: Shape = { name: isText, attributes: isAttributes, families: listOf(isFamily) }

const isTable = record({
  ...SHOWN_TABLE,
  state: (value) => value === 'ENABLED' || value === 'DISABLED',
  regions: listOf(isRegion),
  origin: optional(record({ mark: isNumber, since: isNumber, isUnlogged: optional(isBoolean) })),
})

const isSnapshot = record({
  name: isText,
  number: isNumber,
  table: isTable,
  type: (value) => value === 'FLUSH' || value === 'SKIPFLUSH',
  createdAt: isNumber,
  timeToLiveSeconds: isNumber,
  given: optional(record({ timeToLiveSeconds: isDecimal, maxFileBytes: isDecimal })),
  owner: optional(isText),
  permissions: optional(
    listOf(
      record({
        user: isText,
        family: optional(isBytes),
        qualifier: optional(isBytes),
        actions: listOf(isText),
      }),
    ),
  ),
})

const isKeeping = record({
  from: isNumber,
  kept: listOf(
    record({ number: isNumber, bytes: isNumber, first: isNumber, last: isNumber, at: optional(isNumber) }),
  ),
  holds: listOf(
    record({
      name: isText,
      position: isNumber,
      keepBytesMax: isNumber,
      loss: optional(isText),
      unlogged: optional(listOf(isText)),
    }),
  ),
})

const FLUSH: Shape = { region: isNumber, flushedSequenceId: isNumber, files: listOf(isFile) }

const SHAPES: Readonly<Record<ManifestEdit['kind'], Check>> = {
  generation: record({ number: isNumber }),
  counters: record({ nextNumber: isNumber, nextSequenceId: isNumber }),
  cluster: record({ id: isText }),
  logs: record({
    logs: listOf(record({ number: isNumber, bytes: optional(isNumber) })),
    keeping: optional(isKeeping),
  }),
  discarded: record({ files: listOf(isNumber) }),
  namespace: record({ name: isText, properties: isAttributes }),
  'namespace-gone': record({ name: isText }),
  table: record({ table: isTable, lastSequenceId: optional(isNumber), unloggedIn: optional(isText) }),
  'shown-table': record({ table: record(SHOWN_TABLE) }),
  'table-gone': record({ name: isText, lastSequenceId: optional(isNumber) }),
  retired: record({
    since: optional(isNumber),
    regions: listOf(
      record({
        number: isNumber,
        table: optional(isText),
        lastSequenceId: isNumber,
        regionId: optional(isNumber),
        startKey: optional(isBytes),
      }),
    ),
  }),
  flush: record({ ...FLUSH, unloggedIn: optional(isText) }),
  flushes: record({ regions: listOf(record(FLUSH)) }),
  compaction: record({ region: isNumber, replaced: listOf(isNumber), files: listOf(isFile) }),
  regions: record({
    table: isText,
    replaced: listOf(isNumber),
    regions: listOf(isRegion),
    lastSequenceId: optional(isNumber),
  }),
  snapshot: record({ snapshot: isSnapshot }),
  'snapshot-gone': record({ name: isText }),
  switch: record({ name: isText, isOn: isBoolean }),
}

/** A kind that a later version may add is no edit either: what it says would be lost. */
export function isEdit(value: unknown): value is ManifestEdit {
  if (!record({ kind: isText })(value)) return false
  const { kind } = value as { readonly kind: string }
  return Object.hasOwn(SHAPES, kind) && SHAPES[kind as ManifestEdit['kind']](value)
}
