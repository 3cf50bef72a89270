import { expect, test } from 'vitest'
import { DeferredScanner } from '../../../../src/doors/thrift/service/deferred-scanner.ts'
import { ScannerPages } from '../../../../src/doors/thrift/service/scanner-pages.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { scan } from '../../../../src/model/query.ts'
import type { Results, ScanBatch } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import type { ScanLimits, Scanner, Store } from '../../../../src/store.ts'

/** Results with as many cells of 50-byte values as their names say: `b3` is row b with 3 cells. */
class ListedScanner implements Scanner {
  readonly asked: ScanLimits[] = []
  closed = 0
  /** Calls that fail, counted from 1. */
  readonly failing: number[] = []
  /** Results of the first fetch at most: a store may begin with few. */
  firstMax = 1_000
  #calls = 0
  #left: string[]
  #busy = false

  constructor(results: readonly string[]) {
    this.#left = [...results]
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    expect(this.#busy).toBe(false)
    this.#busy = true
    await Promise.resolve()
    this.#busy = false
    this.#calls++
    if (this.failing.includes(this.#calls)) throw new HBaseError('UNAVAILABLE', 'the cluster is away')
    this.asked.push(limits)
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    const rows = this.#calls === 1 ? Math.min(limits.rows, this.firstMax) : limits.rows
    while (this.#left.length > 0 && counts.length < rows && cells.length < limits.bytes) {
      const [row, count] = this.#left.shift()!
      for (let i = 0; i < Number(count); i++) {
        cells.append(
          Buffer.from(row!),
          Buffer.from('f'),
          Buffer.from(String(i)),
          0,
          1,
          CellType.Put,
          Buffer.alloc(50),
        )
      }
      counts.push(Number(count))
    }
    const results = { cells: cells.block(), counts }
    return { results, more: this.#left.length > 0, partial: false }
  }

  async close(): Promise<void> {
    this.closed++
  }
}

/** The results as they were listed, from the bytes that came. */
function listed({ cells, counts }: Results): string[] {
  const parts = cellsOf(cells)
  let next = 0
  return counts.map((count) => {
    const of = parts.slice(next, next + count)
    next += count
    expect(of).toHaveLength(count)
    return `${of[0]!.row.toString()}${count}`
  })
}

const ALL = ['a1', 'b3', 'c2', 'd1', 'e4', 'f1', 'g2']
const MANY_BYTES = 1_000_000

test.each([1, 2, 3, 5, 100])('pages of any size, fetched %i at a time', async (caching) => {
  for (const size of [1, 2, 3, 7, 50]) {
    const scanner = new ListedScanner(ALL)
    const pages = new ScannerPages(scanner, { caching, answerBytesMax: MANY_BYTES })
    const found: string[] = []
    for (;;) {
      const page = listed(await pages.next(size))
      if (page.length === 0) break
      expect(page.length).toBe(Math.min(size, ALL.length - found.length))
      found.push(...page)
    }
    expect(found).toEqual(ALL)
    expect(scanner.closed).toBe(1)
    expect(listed(await pages.next(size))).toEqual([])
  }
})

test('rows one by one cost one fetch of `caching`', async () => {
  const scanner = new ListedScanner(ALL)
  const pages = new ScannerPages(scanner, { caching: 7, answerBytesMax: MANY_BYTES })
  for (const result of ALL) expect(listed(await pages.next(1))).toEqual([result])
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([7])
})

test('who asks for as many as a fetch has gets whole fetches, even where the first was short', async () => {
  const scanner = new ListedScanner(ALL)
  scanner.firstMax = 1
  const pages = new ScannerPages(scanner, { caching: 3, answerBytesMax: MANY_BYTES })
  expect(listed(await pages.next(3))).toEqual(ALL.slice(0, 3))
  expect(listed(await pages.next(3))).toEqual(ALL.slice(3, 6))
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([3, 2, 3])
})

test('an answer ends at the limit of bytes, after one result at least', async () => {
  const scanner = new ListedScanner(ALL)
  const pages = new ScannerPages(scanner, { caching: 1, answerBytesMax: 150 })
  const sizes: number[] = []
  const found: string[] = []
  for (;;) {
    const page = listed(await pages.next(100))
    if (page.length === 0) break
    sizes.push(page.length)
    found.push(...page)
  }
  expect(found).toEqual(ALL)
  expect(Math.max(...sizes)).toBe(2)
})

test('calls at the same time are answered one after the other', async () => {
  const pages = new ScannerPages(new ListedScanner(ALL), { caching: 1, answerBytesMax: MANY_BYTES })
  const answers = await Promise.all([pages.next(3), pages.next(3), pages.next(3)])
  expect(answers.flatMap(listed)).toEqual(ALL)
})

test('a result is partial where the one after it has its row, be it in the next page', async () => {
  const scanner = new ListedScanner(['a2', 'a2', 'a1', 'b2', 'c2', 'c1'])
  const pages = new ScannerPages(scanner, { caching: 1, answerBytesMax: MANY_BYTES })
  const found: [string, boolean][] = []
  for (;;) {
    const { results, partial } = await pages.nextWithPartial(2)
    if (results.counts.length === 0) break
    for (const [index, result] of listed(results).entries()) found.push([result, partial[index]!])
  }
  expect(found).toEqual([
    ['a2', true],
    ['a2', true],
    ['a1', false],
    ['b2', false],
    ['c2', true],
    ['c1', false],
  ])
})

test('a failed fetch fails its call, and not the ones after it', async () => {
  const scanner = new ListedScanner(ALL)
  const next = scanner.next.bind(scanner)
  let fails = true
  scanner.next = (limits) => {
    if (!fails) return next(limits)
    fails = false
    return Promise.reject(new HBaseError('NOT_SERVING_REGION', 'moved'))
  }
  const pages = new ScannerPages(scanner, { caching: 2, answerBytesMax: MANY_BYTES })
  await expect(pages.next(2)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
  expect(listed(await pages.next(2))).toEqual(['a1', 'b3'])
})

test('a scanner is opened by its first use, with bytes of its own, and closed with what it opened', async () => {
  const opened: ListedScanner[] = []
  let startRow = ''
  const store = {
    openScanner: (_: unknown, query: { readonly startRow: Buffer }) => {
      startRow = query.startRow.toString()
      opened.push(new ListedScanner(ALL))
      return Promise.resolve(opened.at(-1)!)
    },
  } as unknown as Store
  const bytes = Buffer.from('row')
  const scanner = new DeferredScanner(store, parseTableName('t'), scan({ startRow: bytes }))
  bytes.fill(0)
  expect(opened).toHaveLength(0)
  const limits = { rows: 1, bytes: MANY_BYTES, allowPartial: false }
  expect(listed((await scanner.next(limits)).results)).toEqual(['a1'])
  expect(listed((await scanner.next(limits)).results)).toEqual(['b3'])
  expect(opened).toHaveLength(1)
  expect(startRow).toBe('row')
  await scanner.close()
  expect(opened[0]?.closed).toBe(1)
  expect((await scanner.next(limits)).more).toBe(false)
})

test.each(['next', 'nextWithPartial'] as const)(
  'what was fetched before a failure comes when it is asked for again: %s',
  async (method) => {
    for (let failing = 1; failing <= 6; failing++) {
      const scanner = new ListedScanner(ALL)
      scanner.failing.push(failing)
      const pages = new ScannerPages(scanner, { caching: 2, answerBytesMax: MANY_BYTES })
      const found: string[] = []
      let failures = 0
      for (;;) {
        try {
          const answer = await pages[method](3)
          const page = listed('results' in answer ? answer.results : answer)
          if (page.length === 0) break
          found.push(...page)
        } catch (error) {
          expect(error).toMatchObject({ code: 'UNAVAILABLE' })
          failures++
        }
      }
      expect(found).toEqual(ALL)
      expect(failures).toBeLessThanOrEqual(1)
    }
  },
)
