import { describe, expect, it } from 'vitest'
import type { Filter } from '../../../../src/model/filter.ts'
import { rest, StoreUnderTest, tableOf } from '../store-under-test.ts'

/** A table of the regions up to `b`, `b` to `c` and from `c`, with three rows in each. */
async function withRegions(sliceCells = 1000): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ scanSliceCells: sliceCells })
  await session.createTable(tableOf('f'), ['b', 'c'])
  await session.put(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3'])
  return session
}

async function rowsOf(session: StoreUnderTest, filter: Filter, reversed = false): Promise<string[]> {
  return (await session.rows({ filter, reversed })).map((text) => text.slice(0, 2))
}

function rowIs(operator: 'EQUAL' | 'NOT_EQUAL', row: string): Filter {
  return { kind: 'RowFilter', operator, comparator: { kind: 'BinaryComparator', value: Buffer.from(row) } }
}

function until(filter: Filter): Filter {
  return { kind: 'WhileMatchFilter', filter }
}

describe('a filter over several regions', () => {
  it('starts anew in each of them', async () => {
    const session = await withRegions()
    const page: Filter = { kind: 'PageFilter', pageSize: 2n }
    expect(await rowsOf(session, page)).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    expect(await rowsOf(session, page, true)).toEqual(['c3', 'c2', 'b3', 'b2', 'a3', 'a2'])
  })

  it('ends the scan where it is at its end before it has found anything', async () => {
    const session = await withRegions()
    expect(await rowsOf(session, until(rowIs('NOT_EQUAL', 'a1')))).toEqual([])
    expect(await rowsOf(session, until(rowIs('NOT_EQUAL', 'a2')))).toEqual([
      'a1',
      'b1',
      'b2',
      'b3',
      'c1',
      'c2',
      'c3',
    ])
  })

  it('counts what passes for the limit of the scan', async () => {
    const session = await withRegions()
    const rows = await session.rows({ filter: rowIs('NOT_EQUAL', 'a2'), limit: 4 })
    expect(rows.map((text) => text.slice(0, 2))).toEqual(['a1', 'a3', 'b1', 'b2'])
  })

  it('is refused for a scan of no rows as for any other', async () => {
    const session = await withRegions()
    const filter: Filter = { kind: 'MultiRowRangeFilter', ranges: [] }
    const empty = { filter, startRow: Buffer.from('c'), stopRow: Buffer.from('a') }
    await expect(session.scanner(empty)).rejects.toMatchObject({ code: 'ILLEGAL_ARGUMENT' })
  })
})

describe('a scan whose filter hides much', () => {
  it('lets the event loop run', async () => {
    const session = await withRegions(10)
    await session.put(Array.from({ length: 500 }, (_, i) => `b${1000 + i}`))
    const nothing: Filter = {
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BinaryComparator', value: Buffer.from('none') },
    }
    for (const reversed of [false, true]) {
      const scanner = await session.scanner({ filter: nothing, reversed })
      let turns = 0
      let isOver = false
      const count = (): void => {
        turns++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      expect(await rest(scanner)).toEqual([])
      isOver = true
      expect(turns).toBeGreaterThan(40)
      await scanner.close()
    }
  })
})
