import { describe, expect, test } from 'vitest'
import { ScannerPages } from '../../../../src/doors/thrift/service/scanner-pages.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { ScatteredCells } from '../../../../src/model/scattered-cells.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ListedScanner, listed } from './listed-scanner.ts'

const ALL = ['a1', 'b3', 'c2', 'd1', 'e4', 'f1', 'g2']
const MANY_BYTES = 1_000_000

function pagesOf(scanner: ListedScanner, caching: number, answerBytesMax = MANY_BYTES): ScannerPages {
  return new ScannerPages(scanner, scanner, {
    caching,
    answerBytesMax,
    allowScattered: true,
    memory: new MemoryBudget(),
  })
}

describe.each([false, true])('cells are scattered: %s', (scatters) => {
  const scannerOf = (results: readonly string[]): ListedScanner => {
    const scanner = new ListedScanner(results)
    scanner.scatters = scatters
    return scanner
  }

  test.each([1, 2, 3, 5, 100])('pages of any size, fetched %i at a time', async (caching) => {
    for (const size of [1, 2, 3, 7, 50]) {
      const scanner = scannerOf(ALL)
      const pages = pagesOf(scanner, caching)
      const found: string[] = []
      for (;;) {
        const page = listed(await pages.next(size, OWN_CALL))
        if (page.length === 0) break
        expect(page.length).toBe(Math.min(size, ALL.length - found.length))
        found.push(...page)
      }
      expect(found).toEqual(ALL)
      expect(scanner.closed).toBe(1)
      expect(listed(await pages.next(size, OWN_CALL))).toEqual([])
    }
  })

  test('an answer ends at the limit of bytes, after one result at least', async () => {
    const pages = pagesOf(scannerOf(ALL), 1, 150)
    const sizes: number[] = []
    const found: string[] = []
    for (;;) {
      const page = listed(await pages.next(100, OWN_CALL))
      if (page.length === 0) break
      sizes.push(page.length)
      found.push(...page)
    }
    expect(found).toEqual(ALL)
    expect(Math.max(...sizes)).toBe(2)
  })

  test.each(['next', 'nextWithPartial'] as const)(
    'results that came before a failure come when they are asked for again: %s',
    async (method) => {
      for (const [caching, size] of [
        [2, 3],
        [2, 1],
        [1, 3],
      ] as const) {
        for (let failing = 1; failing <= 6; failing++) {
          const scanner = scannerOf(ALL)
          scanner.isBatched = method === 'nextWithPartial'
          scanner.firstMax = 1
          scanner.failing.push(failing)
          const pages = pagesOf(scanner, caching)
          const found: string[] = []
          let failures = 0
          for (let count: number = size; ; ) {
            try {
              const answer = await pages[method](count, OWN_CALL)
              const page = listed(answer)
              if (page.length === 0) break
              found.push(...page)
            } catch (error) {
              expect(error).toMatchObject({ code: 'UNAVAILABLE' })
              failures++
              // After the failure, smaller pages cut the page that failed.
              count = 1
            }
          }
          expect(found).toEqual(ALL)
          expect(failures).toBeLessThanOrEqual(1)
        }
      }
    },
  )
})

test('rows one by one cost one fetch of `caching`', async () => {
  const scanner = new ListedScanner(ALL)
  const pages = pagesOf(scanner, 7)
  for (const result of ALL) expect(listed(await pages.next(1, OWN_CALL))).toEqual([result])
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([7])
})

test('who asks for as many as a fetch has gets whole fetches, even where the first was short', async () => {
  const scanner = new ListedScanner(ALL)
  scanner.firstMax = 1
  const pages = pagesOf(scanner, 3)
  expect(listed(await pages.next(3, OWN_CALL))).toEqual(ALL.slice(0, 3))
  expect(listed(await pages.next(3, OWN_CALL))).toEqual(ALL.slice(3, 6))
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([3, 2, 3])
})

test('each fetch is of the call that needs it', async () => {
  const scanner = new ListedScanner(ALL)
  const pages = pagesOf(scanner, 2)
  const [first, second] = [{ ...OWN_CALL }, { ...OWN_CALL }]
  await Promise.all([pages.next(2, first), pages.next(2, second)])
  expect(scanner.calls).toHaveLength(2)
  expect(scanner.calls[0]).toBe(first)
  expect(scanner.calls[1]).toBe(second)
})

test('calls at the same time are answered one after the other', async () => {
  const pages = pagesOf(new ListedScanner(ALL), 1)
  const answers = await Promise.all([1, 2, 3].map(() => pages.next(3, OWN_CALL)))
  expect(answers.flatMap(listed)).toEqual(ALL)
})

test('a failed fetch fails its call, and not the ones after it', async () => {
  const scanner = new ListedScanner(ALL)
  scanner.failing.push(1)
  const pages = pagesOf(scanner, 2)
  await expect(pages.next(2, OWN_CALL)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(listed(await pages.next(2, OWN_CALL))).toEqual(['a1', 'b3'])
})

describe('scattered cells', () => {
  test('are asked for, and handed on, only where a page is taken whole', async () => {
    const scanner = new ListedScanner(ALL)
    scanner.scatters = true
    const pages = pagesOf(scanner, 3)
    expect((await pages.next(3, OWN_CALL)).cells).toBeInstanceOf(ScatteredCells)
    expect((await pages.next(1, OWN_CALL)).cells).toBeInstanceOf(CellBlock)
    expect((await pages.next(2, OWN_CALL)).cells).toBeInstanceOf(CellBlock)
    expect(scanner.asked.map(({ allowScattered }) => allowScattered)).toEqual([true, false])
  })

  test('are not asked for where the encoder does not read them', async () => {
    const scanner = new ListedScanner(ALL)
    scanner.scatters = true
    const options = {
      caching: 3,
      answerBytesMax: MANY_BYTES,
      allowScattered: false,
      memory: new MemoryBudget(),
    }
    const pages = new ScannerPages(scanner, scanner, options)
    expect((await pages.next(3, OWN_CALL)).cells).toBeInstanceOf(CellBlock)
  })
})

describe('loans', () => {
  test('of batches that are taken whole come with their results', async () => {
    const scanner = new ListedScanner(ALL)
    const pages = pagesOf(scanner, 3)
    expect((await pages.next(3, OWN_CALL)).loan).toBe(1)
    expect(scanner.loans).toEqual(new Map([[1, 0]]))
  })

  test('of batches that are cut stay, for their other results may not have been read', async () => {
    const scanner = new ListedScanner(ALL)
    const pages = pagesOf(scanner, 3)
    for (let i = 0; i < 3; i++) expect((await pages.next(1, OWN_CALL)).loan).toBeUndefined()
    expect(scanner.loans).toEqual(new Map([[1, 0]]))
  })

  test.each([false, true])(
    'of batches that are joined end at once, scattered or not: %s',
    async (scatters) => {
      const scanner = new ListedScanner(ALL)
      scanner.scatters = scatters
      scanner.firstMax = 1
      const page = await pagesOf(scanner, 3).next(3, OWN_CALL)
      expect([listed(page), page.loan]).toEqual([['a1', 'b3', 'c2'], undefined])
      expect(scanner.loans).toEqual(
        new Map([
          [1, 1],
          [2, 1],
        ]),
      )
    },
  )
})

describe('a result is partial where the one after it has its row', () => {
  const PARTS = ['a2', 'a2', 'a1', 'b2', 'c2', 'c1']
  const WHETHER = [true, true, false, false, true, false]

  test.each([
    [1, 2],
    [1, 1],
    [2, 2],
    [4, 1],
    [100, 2],
    [3, 100],
  ])('be it in the next page or batch: fetched %i at a time, in pages of %i', async (caching, size) => {
    for (const firstMax of [1, 2, 3, 1000]) {
      const scanner = new ListedScanner(PARTS)
      scanner.isBatched = true
      scanner.firstMax = firstMax
      const pages = pagesOf(scanner, caching)
      const found: [string, boolean][] = []
      for (;;) {
        const page = await pages.nextWithPartial(size, OWN_CALL)
        if (page.counts.length === 0) break
        for (const [index, result] of listed(page).entries()) found.push([result, page.partial![index]!])
      }
      expect(found).toEqual(PARTS.map((result, i) => [result, WHETHER[i]!]))
    }
  })

  test('and a look at the next batch is taken only where the store does not know', async () => {
    const scanner = new ListedScanner(['a2', 'a2', 'b2', 'b2'])
    scanner.isBatched = true
    const pages = pagesOf(scanner, 2)
    expect((await pages.nextWithPartial(2, OWN_CALL)).partial).toEqual([true, false])
    expect(scanner.calls).toHaveLength(2)
    const whole = new ListedScanner(['a2', 'b2', 'c2'])
    expect((await pagesOf(whole, 2).nextWithPartial(2, OWN_CALL)).partial).toBeUndefined()
    expect(whole.calls).toHaveLength(1)
  })
})

function counted(scanner: ListedScanner, memory: MemoryBudget): ScannerPages {
  const options = { caching: 4, answerBytesMax: MANY_BYTES, allowScattered: true, memory }
  return new ScannerPages(scanner, scanner, options)
}

describe('the memory of results ahead', () => {
  test('counts until they are handed out', async () => {
    const memory = new MemoryBudget()
    const pages = counted(new ListedScanner(ALL), memory)
    await pages.next(1, OWN_CALL)
    expect(memory.granted).toBeGreaterThan(0)
    await pages.next(3, OWN_CALL)
    expect(memory.granted).toBe(0)
  })

  test('is given back when the scanner is closed, also during a call', async () => {
    const memory = new MemoryBudget()
    const scanner = new ListedScanner(ALL)
    const pages = counted(scanner, memory)
    await pages.next(1, OWN_CALL)
    await pages.close()
    expect(memory.granted).toBe(0)
    const busy = counted(new ListedScanner(ALL), memory)
    const page = busy.next(1, OWN_CALL)
    await busy.close()
    expect(listed(await page)).toEqual(['a1'])
    expect(memory.granted).toBe(0)
  })

  test('is not used where little is free: each call fetches what it asks for', async () => {
    const memory = new MemoryBudget(10_000_000)
    memory.note(2_000_000)
    const scanner = new ListedScanner(ALL)
    const pages = counted(scanner, memory)
    expect(listed(await pages.next(1, OWN_CALL))).toEqual(['a1'])
    expect(listed(await pages.next(2, OWN_CALL))).toEqual(['b3', 'c2'])
    expect(scanner.asked.map(({ rows }) => rows)).toEqual([1, 2])
    expect(memory.granted).toBe(2_000_000)
  })
})
