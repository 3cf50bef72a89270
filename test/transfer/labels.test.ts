/** Copies of cells with visibility labels between stores that number their labels differently. */

import { afterEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { EMPTY } from '../../src/model/bytes.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { LABELS_TABLE } from '../../src/model/label-rows.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { get } from '../../src/model/query.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import { type Call, OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { copyTables, type TableToCopy } from '../../src/transfer/copy-tables.ts'
import { exportCells } from '../../src/transfer/files.ts'
import { FORMATS, type FormatName } from '../../src/transfer/formats/formats.ts'
import { labelNames } from '../../src/transfer/label-names.ts'
import { LOSS_OF_TAGS_IN_FILE } from '../../src/transfer/losses.ts'
import { TransferProgress } from '../../src/transfer/progress.ts'
import { RateLimit } from '../../src/transfer/rate-limit.ts'
import type { Part } from '../../src/transfer/raw-cells.ts'
import {
  type LabelledServer,
  labelledStore,
  openLabelled,
  startLabelledServer,
} from '../gateway/policies/labels/labelled-server.ts'
import { visibility } from '../harness/labels/asking.ts'
import { SUPERUSER } from '../harness/labels/people.ts'

const T = parseTableName('t')
const [FAMILY, Q] = [Buffer.from('f'), Buffer.from('q')]
const ALL: Part = { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] }
const LABELS = ['secret', 'public', 'internal']

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

function kept<Closed extends { close(): Promise<void> }>(closed: Closed): Closed {
  open.push(closed)
  return closed
}

function callOf(user: string): Call {
  return { ...OWN_CALL, isOwn: false, principal: { user } }
}

async function withLabels(store: Store, labels: readonly string[]): Promise<Store> {
  expect(
    await store.upkeep.labels!.addLabels(
      labels.map((label) => Buffer.from(label)),
      OWN_CALL,
    ),
  ).toEqual(labels.map(() => undefined))
  for (const label of labels)
    await store.upkeep.labels!.setAuths(Buffer.from(`sees-${label}`), [Buffer.from(label)], OWN_CALL)
  return store
}

async function withCells(store: Store): Promise<void> {
  await store.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const [row, expression] of [
    ['0-plain', undefined],
    ['a', 'secret'],
    ['b', 'internal&!public'],
    ['c', 'public|secret'],
  ] as const) {
    batch.put(Buffer.from(row), FAMILY, Q, Buffer.from('v'), 1n)
    batch.endMutation(expression === undefined ? undefined : visibility(expression))
  }
  // Hides nothing but a cell of just this expression.
  batch.deleteColumn(Buffer.from('a'), FAMILY, Q, 5n).endMutation(visibility('public'))
  expect(await store.rows.mutate(T, batch, callOf(SUPERUSER))).toEqual([])
}

/** By label, the cells that a user with only this label sees. */
async function seen({ rows }: Store): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const label of LABELS) {
    const asked = ['0-plain', 'a', 'b', 'c'].map((row) => get(Buffer.from(row)))
    const { cells } = await rows.get(T, asked, { bytes: 1e6 }, callOf(`sees-${label}`))
    seen[label] = cellsOf(cells)
      .map(({ row }) => row.toString())
      .join(' ')
  }
  return seen
}

const SEEN = { secret: '0-plain a c', public: '0-plain c', internal: '0-plain b' }

function copied(
  source: Store,
  destination: Store,
  tables: TableToCopy[] = [{ from: T, to: T }],
): Promise<unknown> {
  return copyTables({
    source,
    destination,
    tables,
    part: ALL,
    create: true,
    name: 'job',
    keeper: undefined,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    call: OWN_CALL,
    now: () => 0,
    pause: () => Promise.resolve(),
    report: () => undefined,
  })
}

/** The same labels under other ordinals. */
async function twoServers(others = LABELS.toReversed()): Promise<Record<'from' | 'to', LabelledServer>> {
  const [from, to] = [kept(await startLabelledServer('memory')), kept(await startLabelledServer('memory'))]
  await withLabels(from.store, LABELS)
  await withLabels(to.store, others)
  await withCells(from.store)
  expect(await seen(from.store)).toEqual(SEEN)
  return { from, to }
}

describe.each(['memory', 'native'] as const)('folders and memory: %s', (kind) => {
  test('each cell keeps its labels, under the ordinals of the destination', async () => {
    const [from, to] = [kept(await openLabelled(kind)), kept(await openLabelled(kind))]
    await withCells(await withLabels(await labelledStore(from), LABELS))
    const server = await withLabels(await labelledStore(to), ['other', ...LABELS.toReversed()])
    await copied(from, to)
    expect(await seen(server)).toEqual(SEEN)
    // Twice is as once.
    await copied(from, to)
    expect(await seen(server)).toEqual(SEEN)
  })
})

test('over native RPC as a superuser each cell keeps its labels, and a marker that of its own', async () => {
  const { from, to } = await twoServers()
  const [source, destination] = [kept(await from.openCopier(SUPERUSER)), kept(await to.openCopier(SUPERUSER))]
  await copied(source, destination)
  expect(await seen(to.store)).toEqual(SEEN)
})

test('labels whose bytes are no text are distinguished', async () => {
  const { from } = await twoServers()
  const bytes = [0xff, 0xfe].map((byte) => Buffer.of(byte))
  await from.store.upkeep.labels!.addLabels(bytes, OWN_CALL)
  const { ordinals } = await labelNames(from.store, callOf(SUPERUSER))
  const found = bytes.map((label) => ordinals.get(label.toString('latin1')))
  expect([found.includes(undefined), new Set(found).size]).toEqual([false, 2])
})

test('a label that the destination lacks is refused before anything is written, where a cell has it', async () => {
  const { from, to } = await twoServers(['public', 'secret'])
  const [source, destination] = [kept(await from.openCopier(SUPERUSER)), kept(await to.openCopier(SUPERUSER))]
  await expect(copied(source, destination)).rejects.toThrow(
    "cells have the label 'internal', which the destination does not have, or does not show the user: add it there",
  )
  expect(await to.store.catalog.tableExists(T, OWN_CALL)).toBe(false)
  await withLabels(to.store, ['internal'])
  await copied(source, destination)
  expect(await seen(to.store)).toEqual(SEEN)
})

test('a store without labels is refused before anything is written, and takes tables that have none', async () => {
  const { from } = await twoServers()
  const source = kept(await from.openCopier(SUPERUSER))
  const plain = kept(openMemoryStore({ clock: Date }))
  await expect(copied(source, plain)).rejects.toThrow(
    /^cells have visibility labels \('public'\), and the folder has no hbase:labels: every user would see these cells\. Copy the labels first: tidegate copy .* --table hbase:labels --create/,
  )
  expect(await plain.catalog.tableExists(T, OWN_CALL)).toBe(false)
  const other = parseTableName('other')
  await from.store.catalog.createTable(tableDescriptor(other, [familyDescriptor('f')]), [], OWN_CALL)
  await copied(source, plain, [{ from: other, to: other }])
  expect(await plain.catalog.tableExists(other, OWN_CALL)).toBe(true)
})

test('a user who may not see the names of labels copies none', async () => {
  const { from, to } = await twoServers()
  const [source, destination] = [
    kept(await from.openCopier('sees-secret')),
    kept(await to.openCopier(SUPERUSER)),
  ]
  await expect(copied(source, destination)).rejects.toThrow(
    'cells have visibility labels, whose names the source does not show: copy as a superuser of it, or as a user with the label system',
  )
})

test('a source whose table of labels is gone is refused: its ordinals have no names', async () => {
  const from = kept(await openLabelled('memory'))
  await withCells(await withLabels(await labelledStore(from), LABELS))
  await from.catalog.disableTable(LABELS_TABLE, OWN_CALL)
  await from.catalog.deleteTable(LABELS_TABLE, OWN_CALL)
  const to = kept(await openLabelled('memory'))
  await withLabels(await labelledStore(to), LABELS)
  await expect(copied(from, to)).rejects.toThrow(
    'cells have visibility labels, whose names the source does not show: it has no table hbase:labels',
  )
})

test('the table of labels itself comes over as it is, and then the cells with it', async () => {
  const from = kept(await openLabelled('memory'))
  await withCells(await withLabels(await labelledStore(from), LABELS))
  const to = kept(await openLabelled('memory'))
  await copied(from, to, [
    { from: LABELS_TABLE, to: LABELS_TABLE },
    { from: T, to: T },
  ])
  expect(await seen(await labelledStore(to))).toEqual(SEEN)
})

describe.each(Object.keys(FORMATS) as FormatName[])('an export as %s', (format) => {
  async function lossesOf(store: Store, stopRow: Buffer): Promise<readonly string[]> {
    const progress = new TransferProgress(
      't',
      () => 0,
      () => undefined,
    )
    await exportCells({
      store,
      table: T,
      part: { ...ALL, stopRow },
      call: OWN_CALL,
      progress,
      rate: new RateLimit(
        Number.POSITIVE_INFINITY,
        () => 0,
        () => Promise.resolve(),
      ),
      writer: FORMATS[format].writer(),
      write: () => Promise.resolve(),
    })
    return progress.done().losses ?? []
  }

  test('warns that labels are lost, where there are any', async () => {
    const from = kept(await startLabelledServer('memory'))
    await withCells(await withLabels(from.store, LABELS))
    for (const store of [from.own, kept(await from.openCopier(SUPERUSER))]) {
      expect(await lossesOf(store, EMPTY)).toEqual([LOSS_OF_TAGS_IN_FILE])
      expect(await lossesOf(store, Buffer.from('1'))).toEqual([])
    }
  })
})
