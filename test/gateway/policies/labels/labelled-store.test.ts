/** Labels on stores in process: what lasts, what is refused, and what settings do. */

import { afterEach, describe, expect, test } from 'vitest'
import type { AdvertisedStore } from '../../../../src/gateway/catalog/advertised.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { generatedLabels } from '../../../../src/gateway/policies/labels/label-settings.ts'
import { withVisibilityLabels } from '../../../../src/gateway/policies/labels/with-visibility-labels.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { LABEL_QUALIFIER, LABELS_FAMILY, labelRow } from '../../../../src/model/label-rows.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { visibilityTags } from '../../../../src/model/visibility.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { visibility } from '../../../harness/labels/asking.ts'
import { labelledStore, openLabelled } from './labelled-server.ts'

const TABLE = parseTableName('t')
const LABELS_TABLE = parseTableName('hbase:labels')
const [ROW, FAMILY, Q] = ['r', 'f', 'q'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

function callOf(user: string): Call {
  return { ...OWN_CALL, isOwn: false, principal: { user } }
}

let own: Store | undefined
afterEach(() => own?.close())

async function opened(kind: 'native' | 'memory'): Promise<AdvertisedStore> {
  own = await openLabelled(kind)
  const store = await labelledStore(own)
  const { labels } = store.upkeep
  await store.catalog.createTable(
    tableDescriptor(TABLE, [familyDescriptor('f', [['VERSIONS', '3']])]),
    [],
    OWN_CALL,
  )
  await labels!.addLabels([Buffer.from('secret'), Buffer.from('public')], OWN_CALL)
  await labels!.setAuths(Buffer.from('alice'), [Buffer.from('secret')], OWN_CALL)
  return store
}

async function put(store: Store, time: bigint, expression?: string): Promise<void> {
  const batch = new MutationBatch().put(ROW, FAMILY, Q, Buffer.from(`${time}`), time)
  batch.endMutation(expression === undefined ? undefined : visibility(expression))
  expect(await store.rows.mutate(TABLE, batch, callOf('super'))).toEqual([])
}

async function seenBy(user: string, { rows }: Store): Promise<string> {
  const asked = get(ROW, { maxVersions: 9 })
  const { cells } = await rows.get(TABLE, [asked], { bytes: 1e6 }, callOf(user))
  return cellsOf(cells)
    .map(({ value }) => value.toString())
    .join(' ')
}

describe.each(['native', 'memory'] as const)('%s', (kind) => {
  test('labels and the tombstones of labels live through a flush and a major compaction', async () => {
    const store = await opened(kind)
    await put(store, 5n, 'secret')
    await put(store, 4n, 'public')
    await put(store, 3n)
    await own!.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    expect(await seenBy('alice', store)).toBe('5 3')
    const batch = new MutationBatch().deleteColumn(ROW, FAMILY, Q, 9n)
    batch.endMutation(visibility('public'))
    await store.rows.mutate(TABLE, batch, callOf('super'))
    await own!.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    await own!.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    expect(await seenBy('super', store)).toBe('5 3')
    expect(await seenBy('alice', store)).toBe('5 3')
    expect(await seenBy('eve', store)).toBe('3')
  })

  test('a change of labels counts for the next request', async () => {
    const store = await opened(kind)
    await put(store, 5n, 'secret')
    const { labels } = store.upkeep
    await labels!.clearAuths(Buffer.from('alice'), [Buffer.from('secret')], OWN_CALL)
    expect(await seenBy('alice', store)).toBe('')
    await labels!.setAuths(Buffer.from('alice'), [Buffer.from('secret')], OWN_CALL)
    expect(await seenBy('alice', store)).toBe('5')
  })

  test('a change of rows of hbase:labels counts for the next request', async () => {
    const store = await opened(kind)
    await put(store, 5n, 'secret')
    expect(await seenBy('eve', store)).toBe('')
    const batch = new MutationBatch().put(labelRow(2), LABELS_FAMILY, Buffer.from('eve'), Buffer.alloc(0))
    batch.endMutation()
    const options = { durability: 'USE_DEFAULT' } as const
    const operations = [{ kind: 'mutate', cells: batch.blockOf(0) }] as const
    const parts = [{ row: labelRow(2), operations, options }]
    await store.rows.mutateRows(LABELS_TABLE, { parts }, callOf('super'))
    expect(await seenBy('eve', store)).toBe('5')
  })

  test('tags of visibility from a client are refused, but of a superuser', async () => {
    const store = await opened(kind)
    const written = async (user: string) => {
      const batch = new MutationBatch()
      const tags = visibilityTags([[2]])
      const parts = { row: ROW, family: FAMILY, qualifier: Q, timestamp: 5n, type: 4, value: Q, tags }
      batch.cells.appendParts(parts)
      batch.endMutation()
      return store.rows.mutate(TABLE, batch, callOf(user))
    }
    const [failure] = await written('alice')
    expect(failure?.error.message).toBe('Mutation contains cell with reserved type tag')
    expect(await written('super')).toEqual([])
    expect(await seenBy('eve', store)).toBe('')
  })

  test('hbase:labels can neither be altered nor disabled', async () => {
    const { catalog } = await opened(kind)
    const call = callOf('super')
    await expect(catalog.disableTable(LABELS_TABLE, call)).rejects.toThrow('Cannot disable hbase:labels')
    const altered = tableDescriptor(LABELS_TABLE, [familyDescriptor('f')])
    await expect(catalog.modifyTable(altered, call)).rejects.toThrow('Cannot alter hbase:labels')
  })

  test('hbase:labels that is emptied leaves no label that counts', async () => {
    const store = await opened(kind)
    const [region] = await store.catalog.regions(LABELS_TABLE, OWN_CALL)
    const { regions, labels } = store.upkeep
    // The oracle has no regions to empty.
    if (kind === 'memory') return
    await regions!.truncateRegion(region!.name, OWN_CALL)
    expect(await labels!.listLabels(undefined, OWN_CALL)).toEqual([])
  })

  test('a label without a number that is left is refused, and no row of others is one', async () => {
    const store = await opened(kind)
    const { labels } = store.upkeep
    const written = new MutationBatch()
    for (const [row, label] of [
      [labelRow(0x7fffffff), 'the last'],
      [labelRow(-5), 'negative'],
      [Buffer.alloc(4), 'none'],
      [Buffer.alloc(3), 'short'],
    ] as const)
      written.put(row, LABELS_FAMILY, LABEL_QUALIFIER, Buffer.from(label)).endMutation()
    expect(await store.rows.mutate(LABELS_TABLE, written, callOf('super'))).toEqual([])
    const [outcome, known] = await labels!.addLabels(
      [Buffer.from('one more'), Buffer.from('secret')],
      OWN_CALL,
    )
    expect(outcome).toMatchObject({
      code: 'DO_NOT_RETRY',
      message: "no number is left for the label 'one more'",
    })
    expect(known!.message).toContain('LabelAlreadyExistsException')
    const listed = await labels!.listLabels(undefined, OWN_CALL)
    expect(listed.map(String).sort()).toEqual(['public', 'secret', 'the last'])
  })

  test('a malformed expression refuses its own mutation alone, for good', async () => {
    const store = await opened(kind)
    const batch = new MutationBatch().put(ROW, FAMILY, Q, Buffer.from('1'), 1n)
    batch.endMutation(visibility('secret&'))
    batch.put(ROW, FAMILY, Q, Buffer.from('2'), 2n).endMutation(visibility('secret'))
    const failures = await store.rows.mutate(TABLE, batch, callOf('super'))
    expect(failures).toMatchObject([{ index: 0, error: { code: 'DO_NOT_RETRY', mayRetry: false } }])
    expect(await seenBy('alice', store)).toBe('2')
  })

  test('labels are those of before after a new start', async () => {
    await opened(kind)
    const again = await labelledStore(own!)
    expect(await again.upkeep.labels!.listLabels(undefined, OWN_CALL)).toEqual(
      ['secret', 'public'].map((label) => Buffer.from(label)),
    )
    await again.upkeep.labels!.addLabels([Buffer.from('third')], OWN_CALL)
    await put(again, 7n, 'third')
    expect(await seenBy('alice', again)).toBe('')
  })
})

test('with permissions only superusers may list labels and users', async () => {
  const store = await opened('memory')
  const subjects = new Subjects(['super'], new Map())
  const config = { subjects, hasPermissions: true }
  const { labels } = (await withVisibilityLabels(store, own!, config)).upkeep
  await expect(labels!.listLabels(undefined, callOf('alice'))).rejects.toThrow(
    "User 'alice' is not authorized",
  )
  await expect(labels!.auths(Buffer.from('alice'), callOf('alice'))).rejects.toThrow('is not authorized')
  expect(await labels!.listLabels('sec.*', callOf('super'))).toEqual([Buffer.from('secret')])
})

test.each([
  [['feed-user', 'defined-set'], undefined, ['a', 'b']],
  [['feed-user', 'defined-set'], ['a', 'z'], ['a']],
  [['enforcing'], ['a', 'z'], ['a', 'b']],
  [['simple'], ['z'], ['z']],
  [['simple'], undefined, []],
] as const)('generators %j make of %j: %j', (generators, asked, wanted) => {
  expect(generatedLabels(generators, asked, ['a', 'b'])).toEqual(wanted)
})
