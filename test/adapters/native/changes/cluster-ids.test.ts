/** The clusters that a change has been to before it came here. */

import { describe, expect, test } from 'vitest'
import { clusterIdsIn, encodeClusterIds } from '../../../../adapters/native/cells/cluster-ids.ts'
import { clustersOf } from '../../../../adapters/native/write/logged-clusters.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch, type MutationOptions } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Change } from '../../../../src/store/changes.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'
import { ALL, changesOf, HOLD, KEEP } from './change-history.ts'

const A = '00112233-4455-6677-8899-aabbccddeeff'
const B = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function from(...ids: string[]): MutationOptions {
  return { durability: 'USE_DEFAULT', attributes: new Map([['_cs.id', encodeClusterIds(ids)]]) }
}

function put(batch: MutationBatch, row: string, options?: MutationOptions, family = 'f'): void {
  batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from('v'))
  batch.endMutation(options)
}

async function opened(...families: string[]): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ wideCost: 50 }, undefined, Math.random)
  await session.createTable(tableOf(...families))
  await changesOf(session).holdLog(HOLD, undefined, KEEP, OWN_CALL)
  return session
}

async function read(session: StoreUnderTest): Promise<readonly Change[]> {
  const [hold] = await changesOf(session).logHolds(OWN_CALL)
  return (await changesOf(session).readChanges(hold!.position, ALL, OWN_CALL)).changes
}

function shown(changes: readonly Change[]): string[] {
  return changes.map(({ clusterIds, cells }) =>
    [
      ...clusterIds,
      ...cellsOf(cells).map(({ row, family }) => `${row.toString()}/${family.toString()}`),
    ].join(' '),
  )
}

function cellsFor(row: string, count = 1): CellBlockBuilder {
  const batch = new MutationBatch()
  for (let index = 0; index < count; index++)
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from(`q${index}`), Buffer.from('v'))
  return batch.cells
}

describe('clusters', () => {
  test('come with the cells of their mutations, and are nowhere else', async () => {
    let session = await opened('f')
    const batch = new MutationBatch()
    put(batch, 'a')
    put(batch, 'b', from(A))
    put(batch, 'c', from(A))
    put(batch, 'd', from(A, B))
    put(batch, 'e', { durability: 'USE_DEFAULT', attributes: new Map([['other', Buffer.from('x')]]) })
    expect(await session.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    const expected = ['a/f', `${A} b/f c/f`, `${A} ${B} d/f`, 'e/f']
    expect(shown(await read(session))).toEqual(expected)
    const rows = ['a=v', 'b=v', 'c=v', 'd=v', 'e=v']
    expect(await session.rows()).toEqual(rows)
    session = await session.killed()
    expect(await session.rows()).toEqual(rows)
    expect(shown(await read(session))).toEqual(expected)
    await session.flush()
    expect(await session.rows()).toEqual(rows)
    await session.store.close()
  })

  test('come with atomic changes of one row and of several, and with wide ones', async () => {
    const session = await opened('f')
    const { rows } = session.store
    const part = (row: string, count?: number) => ({
      row: Buffer.from(row),
      operations: [{ kind: 'mutate' as const, cells: cellsFor(row, count).block() }],
      options: from(A),
    })
    await rows.mutateRow(TABLE, part('one'), OWN_CALL)
    await rows.mutateRow(
      TABLE,
      {
        ...part('own'),
        options: { durability: 'USE_DEFAULT' },
        operations: [{ kind: 'mutate', cells: cellsFor('own').block(), options: from(B) }],
      },
      OWN_CALL,
    )
    await rows.mutateRows(TABLE, { parts: [part('x'), part('y')] }, OWN_CALL)
    await rows.mutateRow(TABLE, part('wide', 60), OWN_CALL)
    const changes = await read(session)
    expect(changes.map(({ clusterIds, cells }) => [...clusterIds, cellsOf(cells).length])).toEqual([
      [A, 1],
      [B, 1],
      [A, 2],
      [A, 60],
    ])
    await session.store.close()
  })

  test('are left out for a table that has a family of that name', async () => {
    const session = await opened('f', 'METAFAMILY')
    const batch = new MutationBatch()
    put(batch, 'a', from(A))
    batch.put(
      Buffer.from('b'),
      Buffer.from('METAFAMILY'),
      Buffer.from('tidegate.clusters'),
      encodeClusterIds([B]),
    )
    batch.endMutation()
    await session.store.rows.mutate(TABLE, batch, OWN_CALL)
    expect(shown(await read(session))).toEqual(['a/f', 'b/METAFAMILY'])
    expect(await session.rows()).toHaveLength(2)
    await session.store.close()
  })

  test('that are cut off fail their mutation alone', async () => {
    const session = await opened('f')
    const batch = new MutationBatch()
    put(batch, 'a')
    put(batch, 'b', {
      durability: 'USE_DEFAULT',
      attributes: new Map([['_cs.id', encodeClusterIds([A]).subarray(0, 9)]]),
    })
    put(batch, 'c', {
      durability: 'USE_DEFAULT',
      attributes: new Map([['_cs.id', Buffer.from([0xff, 0xff, 0xff, 0xff])]]),
    })
    const failures = await session.store.rows.mutate(TABLE, batch, OWN_CALL)
    expect(failures.map(({ index, error }) => [index, error.code])).toEqual([[1, 'DO_NOT_RETRY']])
    expect(shown(await read(session))).toEqual(['a/f c/f'])
    await session.store.close()
  })
})

function clustersIn(stated: Buffer): Buffer | undefined {
  return clustersOf({ durability: 'USE_DEFAULT', attributes: new Map([['_cs.id', stated]]) })
}

test('their bytes are taken as they stand, without work for each id: a batch may have many rows with a thousand', () => {
  const bytes = encodeClusterIds(Array.from({ length: 1000 }, () => A))
  expect(clustersIn(bytes)).toBe(bytes)
  expect(clustersIn(Buffer.concat([bytes, Buffer.from('more')]))).toEqual(bytes)
  expect(clustersIn(encodeClusterIds([]))).toBeUndefined()
  expect(clustersIn(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toBeUndefined()
})

test('the form is that of HBase: a count, and two longs for each', () => {
  const bytes = encodeClusterIds([A])
  expect(bytes.toString('hex')).toBe(`00000001${A.replaceAll('-', '')}`)
  expect(clusterIdsIn(bytes)).toEqual([A])
  for (let cut = 0; cut < bytes.length; cut++) expect(clusterIdsIn(bytes.subarray(0, cut))).toBeUndefined()
})
