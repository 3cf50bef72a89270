/** Comparisons of two stores find the cells that differ, just these, and none that are on their way. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { tag, timeToLiveTag } from '../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { compareRows } from '../../../src/transfer/verify/compared-table.ts'
import { ComparedTags } from '../../../src/transfer/verify/compared-tags.ts'
import { CELLS_OF_ROW_MAX } from '../../../src/transfer/verify/differences.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'
import { ALL, NOW, storeOf, T, trueDifferences, verified, write } from './two-stores.ts'

const TTL_TAGS = timeToLiveTag(3_600_000)

const anyCell: fc.Arbitrary<CellParts> = fc
  .record({
    row: fc
      .constantFrom('1', '1\0', '2', '3', '3\xff\0', '5', '\xff\xff')
      .map((row) => Buffer.from(row, 'latin1')),
    family: fc.constantFrom('f', 'g').map((text) => Buffer.from(text)),
    qualifier: fc.constantFrom('', 'a', '\xff,').map((text) => Buffer.from(text, 'latin1')),
    timestamp: fc.constantFrom(0n, 1n, 2n, 3n, 2n ** 63n - 2n),
    type: fc.constantFrom(
      CellType.Put,
      CellType.Put,
      CellType.Put,
      CellType.Delete,
      CellType.DeleteColumn,
      CellType.DeleteFamily,
      CellType.DeleteFamilyVersion,
    ),
    value: fc.uint8Array({ maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
    isTagged: fc.boolean(),
  })
  .map(({ isTagged, ...cell }) => {
    const isOfFamily = cell.type === CellType.DeleteFamily || cell.type === CellType.DeleteFamilyVersion
    return {
      ...cell,
      qualifier: isOfFamily ? EMPTY : cell.qualifier,
      value: cell.type === CellType.Put ? cell.value : EMPTY,
      ...(isTagged && cell.type === CellType.Put && { tags: TTL_TAGS }),
    }
  })

test('the cells that differ are found, and no others', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.record({ cell: anyCell, isOmitted: fc.nat(9).map((n) => n === 0) }), { maxLength: 60 }),
    fc.array(anyCell, { maxLength: 4 }),
    fc.boolean(),
    fc.constantFrom<readonly string[]>([], ['2'], ['1', '3', '5']),
    async (cells, planted, raw, splits) => {
      const source = await storeOf(cells.map(({ cell }) => cell))
      const target = await storeOf(
        [...cells.filter(({ isOmitted }) => !isOmitted).map(({ cell }) => cell), ...planted],
        undefined,
        splits,
      )
      const { differences, sums } = await verified(source, target, { raw })
      const expected = await trueDifferences(source, target, raw)
      expect(differences).toEqual(expected)
      const rows = new Set(expected.map((text) => text.split(' ')[0]))
      expect(sums[0]!.rowsDiffering).toBe(rows.size)
      const counts = { missing: 0, extra: 0, value: 0, tags: 0 }
      for (const text of expected) counts[text.split(' ').at(-1) as keyof typeof counts]++
      expect(sums[0]!.differences).toEqual(counts)
    },
  )
  await fc.assert(property, { numRuns: testRuns(300), ...(SEED !== undefined && { seed: SEED }) })
})

test('a range that is compared in parts has each row in one of them', async () => {
  const property = fc.asyncProperty(
    fc.array(anyCell, { maxLength: 30 }),
    fc.array(anyCell, { maxLength: 30 }),
    fc.constantFrom(1, 60, 200),
    async (cells, others, bytesMax) => {
      const [source, target] = [await storeOf(cells), await storeOf(others)]
      const tags = await ComparedTags.between(source, target, T, OWN_CALL, () => undefined)
      const both = { source, target, from: T, to: T, tags, rules: undefined, call: OWN_CALL }
      const table = { ...both, part: ALL, raw: true, wallClock: () => NOW }
      const parts = async (max: number): Promise<[found: string[], rows: number]> => {
        const found: string[] = []
        let rows = 0
        for (let startRow: Buffer | undefined = EMPTY; startRow !== undefined; ) {
          const compared = await compareRows(
            table,
            { startRow, stopRow: EMPTY },
            {
              bytesMax: max,
              found: (each) => void found.push(`${each.row.toString('latin1')} ${each.cells.length}`),
              took: async (_, since) => void (rows += since.rows),
            },
          )
          rows += compared.rows
          startRow = compared.next
        }
        return [found, rows]
      }
      expect(await parts(bytesMax)).toEqual(await parts(Number.POSITIVE_INFINITY))
    },
  )
  await fc.assert(property, { numRuns: testRuns(150), ...(SEED !== undefined && { seed: SEED }) })
})

function put(row: string, column: string, timestamp: bigint, value = 'v', tags?: Buffer): CellParts {
  const [family = '', qualifier = ''] = column.split(':')
  return {
    row: Buffer.from(row, 'latin1'),
    family: Buffer.from(family),
    qualifier: Buffer.from(qualifier),
    timestamp,
    type: CellType.Put,
    value: Buffer.from(value),
    ...(tags !== undefined && { tags }),
  }
}

test('cells that a compaction drops are compared only with --raw', async () => {
  const marker = { ...put('r', 'g:q', 5n, ''), type: CellType.DeleteColumn }
  const kept = [put('r', 'f:q', 9n), put('r', 'f:q', 8n), put('r', 'g:q', 7n)]
  const source = await storeOf([...kept, put('r', 'f:q', 1n), put('r', 'g:q', 4n), marker])
  const target = await storeOf(kept)
  expect(await verified(source, target)).toMatchObject({ differences: [], leftOut: [] })
  expect((await verified(source, target, { raw: true })).differences).toEqual([
    'r f:q 1 4 missing',
    'r g:q 4 4 missing',
    'r g:q 5 12 missing',
  ])
})

test('of late changes alone, rows count by all that readers see of them', async () => {
  const old = [put('old', 'g:q', 1n), put('r', 'g:q', 4n), put('s', 'g:q', 4n)]
  const source = await storeOf([...old, put('missed', 'g:q', 2n)])
  const target = await storeOf(old)
  await write(source, [{ ...put('r', 'g:q', 9n, ''), type: CellType.DeleteColumn }])
  // Stored on one side, and seen by no reader.
  await write(target, [{ ...put('s', 'g:none', 9n, ''), type: CellType.DeleteColumn }])
  expect((await verified(source, target, { changedSince: 9n })).differences).toEqual(['r g:q 4 4 extra'])
  expect((await verified(source, target, { changedSince: 10n })).differences).toEqual([])
})

test('families that keep cells by other rules are compared by the cells that both keep', async () => {
  const hour = 3_600_000n
  const cells = [1n, 2n, 3n].map((n) => put('r', 'f:q', BigInt(NOW) - n * hour))
  const [source, target] = [
    await storeOf(cells, [['VERSIONS', '3']]),
    await storeOf(cells, [['VERSIONS', '1']]),
  ]
  const found = await verified(source, target)
  expect(found.differences).toEqual([])
  expect(found.warnings).toEqual([
    't: both sides keep cells of family f by other VERSIONS, MIN_VERSIONS or TTL: only the cells that both keep are compared',
  ])
  const expiring = await storeOf(cells, [
    ['VERSIONS', '3'],
    ['TTL', '9000'],
  ])
  expect((await verified(source, expiring)).differences).toEqual([])
  await write(expiring, [put('r', 'f:q', BigInt(NOW) - hour, 'other'), put('r2', 'f:q', BigInt(NOW))])
  expect((await verified(source, expiring)).differences).toEqual([
    `r f:q ${BigInt(NOW) - hour} 4 value`,
    `r2 f:q ${NOW} 4 extra`,
  ])
})

test('changes that come later to the other side are no differences, lost ones are', async () => {
  const changes = Array.from({ length: 40 }, (_, i) => put(`r${i % 7}`, 'g:n', BigInt(i), `v${i}`))
  for (const lost of [undefined, 8]) {
    const [source, target] = [await storeOf(changes.slice(0, 10)), await storeOf(changes.slice(0, 4))]
    let [here, there] = [10, 4]
    const pauses: number[] = []
    const found = await verified(source, target, {
      // Both go on while the comparison waits. The target is behind at all times but the last look's.
      pause: async (milliseconds) => {
        pauses.push(milliseconds)
        const until = Math.min(changes.length, here + 6)
        await write(source, changes.slice(here, until))
        here = until
        const upTo = here === changes.length ? here : here - 3
        await write(
          target,
          changes.slice(there, upTo).filter((_, i) => there + i !== lost),
        )
        there = upTo
      },
    })
    expect(found.differences).toEqual(lost === undefined ? [] : ['r1 g:n 8 4 missing'])
    expect(found.sums[0]!.rowsDiffering).toBe(lost === undefined ? 0 : 1)
    expect(pauses.length).toBeGreaterThan(2)
  }
})

test('the wait for rows that differ is reported once, and no progress meanwhile', async () => {
  const rows = ['a', 'b', 'c'].map((row) => put(row, 'f:n', 1n))
  const [source, target] = [await storeOf(rows), await storeOf(rows.slice(0, 1))]
  const reported: string[] = []
  let seconds = 0
  const found = await verified(source, target, {
    now: () => 1000 * seconds++,
    report: () => reported.push('progress'),
    settles: (table, waiting, milliseconds) => reported.push(`${table} ${waiting} ${milliseconds}`),
  })
  expect(found.sums[0]!.rowsDiffering).toBe(2)
  expect(reported[0]).toBe('progress')
  expect(reported.slice(reported.lastIndexOf('progress') + 1)).toEqual(['t 2 1000'])
  const equal = await verified(source, source, { settles: () => reported.push('settles') })
  expect([equal.differences, reported.includes('settles')]).toEqual([[], false])
})

test('a row that changes at each look is counted, and is no difference', async () => {
  const [source, target] = [await storeOf([put('r', 'f:n', 1n)]), await storeOf([put('r', 'f:n', 1n)])]
  await write(source, [put('r', 'f:n', 2n), put('r', 'f:n', 3n)])
  let at = 3n
  const found = await verified(source, target, {
    pause: async () => {
      await write(target, [put('r', 'f:n', at - 1n), put('r', 'f:n', at)])
      at += 2n
      await write(source, [put('r', 'f:n', at - 1n), put('r', 'f:n', at)])
    },
  })
  expect(found.differences).toEqual([])
  expect(found.sums[0]).toMatchObject({ rowsDiffering: 0, rowsChanging: 1 })
})

test('a row of very many differing cells is bounded in memory, and counted', async () => {
  const count = CELLS_OF_ROW_MAX + 234
  const cells = Array.from({ length: count }, (_, i) => put('wide', `g:${i}`, 1n, `${i}`))
  const found = await verified(await storeOf([...cells, put('z', 'f:q', 1n)]), await storeOf([]))
  expect(found.differences).toHaveLength(CELLS_OF_ROW_MAX + 1)
  expect(found.sums[0]).toMatchObject({
    rows: 2,
    cells: count + 1,
    rowsDiffering: 2,
    differences: { missing: CELLS_OF_ROW_MAX + 1 },
    moreDifferences: 234,
  })
})

test('the order of tags has no meaning', async () => {
  const acl = tag(1, Buffer.from('users'))
  const [source, target] = [
    await storeOf([put('r', 'f:q', 1n, 'v', Buffer.concat([acl, TTL_TAGS])), put('s', 'f:q', 1n, 'v', acl)]),
    await storeOf([put('r', 'f:q', 1n, 'v', Buffer.concat([TTL_TAGS, acl])), put('s', 'f:q', 1n, 'v')]),
  ]
  expect((await verified(source, target)).differences).toEqual(['s f:q 1 4 tags'])
})

test('tables that cannot be compared are named, and the others are compared', async () => {
  const [source, target] = [await storeOf([put('r', 'f:q', 1n)]), await storeOf([put('r', 'f:q', 1n)])]
  const none = 'none' as typeof T
  const tables = [
    { from: T, to: none },
    { from: none, to: T },
    { from: T, to: T },
  ]
  const found = await verified(source, target, { tables })
  expect(found.leftOut).toEqual([
    't to none: the destination has no table none',
    'none to t: the source has no table none',
  ])
  expect(found.sums).toMatchObject([{ table: 't', rows: 1, rowsDiffering: 0, isDone: true }])
  await target.catalog.disableTable(T, OWN_CALL)
  expect((await verified(source, target)).leftOut).toEqual(['t: t is disabled at the destination: enable it'])
})

test('a table whose cells cannot be read is named, and the others are compared', async () => {
  const source = await storeOf(Array.from({ length: 20 }, (_, i) => put(`r${i}`, 'f:q', 1n)))
  const target = await storeOf([])
  const other = 'other' as typeof T
  for (const { catalog } of [source, target])
    await catalog.createTable(tableDescriptor(other, [familyDescriptor('f')]), [], OWN_CALL)
  const opened = new Set<number>()
  const damaged: Store = {
    ...target,
    rows: {
      ...target.rows,
      get: (...args) => target.rows.get(...args),
      openScanner: async (table, ...args) => {
        const scanner = await target.rows.openScanner(table, ...args)
        if (table === T) opened.add(scanner.id)
        return scanner
      },
    },
    handouts: {
      next: (id, ...args) =>
        opened.has(id)
          ? Promise.reject(new HBaseError('CORRUPTION', 'a block is damaged'))
          : target.handouts.next(id, ...args),
      closeScanner: async (id) => {
        await target.handouts.closeScanner(id)
        opened.delete(id)
      },
      release: (loan) => target.handouts.release(loan),
    },
  }
  const tables = [T, other].map((name) => ({ from: name, to: name }))
  const found = await verified(source, damaged, { tables })
  expect(found.leftOut).toEqual(['t: a block is damaged'])
  expect(found.sums.map(({ table }) => table)).toEqual(['other'])
  expect(opened.size).toBe(0)
})

test('the rate holds for both sides together', async () => {
  const cells = Array.from({ length: 30 }, (_, i) => put(`r${i}`, 'f:q', 1n))
  let time = 0
  const { sums } = await verified(await storeOf(cells), await storeOf(cells), {
    bytesPerSecond: 100,
    now: () => time,
    pause: async (milliseconds) => void (time += milliseconds),
  })
  expect(sums[0]!.bytesPerSecond).toBeGreaterThan(90)
  expect(sums[0]!.bytesPerSecond).toBeLessThan(110)
})
