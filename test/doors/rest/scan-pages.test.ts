import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMPTY } from '../../../src/model/bytes.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { testRuns } from '../../harness/test-runs.ts'
import {
  cellsOf,
  F,
  type Gateways,
  nextOf,
  openGateways,
  type ShownCell,
  TABLE,
  TEXT_JSON,
} from './paged-gateways.ts'

let gateways: Gateways

beforeAll(async () => {
  gateways = await openGateways()
})
afterAll(() => gateways.close())

function nameOf({ key, column }: ShownCell): string {
  return `${key} ${column}`
}

const arbitraryKey = fc.stringMatching(/^[abc]{1,3}$/)
const FILTERS = [
  "RowFilter(!=,'binary:b')",
  "ValueFilter(=,'regexstring:.* 1 .*')",
  "SingleColumnValueFilter('f','q1',!=,'substring:a')",
  "WHILE RowFilter(<,'binary:c')",
  "SKIP ValueFilter(!=,'regexstring:^bb .*')",
  "InclusiveStopFilter('bb')",
  "PrefixFilter('b') OR QualifierFilter(=,'binary:q0')",
  'FirstKeyOnlyFilter()',
  'ColumnPaginationFilter(1,1)',
  'KeyOnlyFilter()',
]
const arbitraryScan = fc.record(
  {
    page: fc.integer({ min: 1, max: 7 }),
    limit: fc.integer({ min: 1, max: 12 }),
    startrow: arbitraryKey,
    endrow: arbitraryKey,
    maxversions: fc.constantFrom(1, 2, 3),
    reversed: fc.boolean(),
    one: fc.oneof(
      fc.constantFrom(...FILTERS).map((filter) => ({ filter })),
      fc.integer({ min: 1, max: 4 }).map((batchsize) => ({ batchsize })),
    ),
  },
  { requiredKeys: ['page'] },
)

/** The path of a scan; without `page` it is whole. */
function pathOf(
  prefix: string,
  { one = {}, ...stated }: { one?: object } & Record<string, unknown>,
  ...without: readonly string[]
): string {
  const entries = Object.entries({ ...stated, ...one }).filter(([name]) => !without.includes(name))
  const query = new URLSearchParams(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])))
  return `/t/${prefix}*?${query.toString()}`
}

const arbitraryRows = fc.uniqueArray(
  fc.tuple(arbitraryKey, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
  { selector: ([row]) => row, maxLength: 12 },
)

describe('a scan in pages', () => {
  test('has the rows of the whole scan, with pages of any size', async () => {
    const prefix = fc.constantFrom('', '', 'a', 'bb')
    await fc.assert(
      fc.asyncProperty(arbitraryRows, prefix, arbitraryScan, async (rows, ofPrefix, scan) => {
        await gateways.putOnly(rows)
        const whole = cellsOf(await gateways.both[0].get(pathOf(ofPrefix, scan, 'page'), TEXT_JSON))
        const pages = await gateways.pagesOf(pathOf(ofPrefix, scan))
        expect(pages.flat()).toEqual(whole)
      }),
      { numRuns: testRuns(60) },
    )
  })

  test('by limit alone goes on as well', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRows, arbitraryScan, async (rows, scan) => {
        await gateways.putOnly(rows)
        const whole = cellsOf(await gateways.both[0].get(pathOf('', scan, 'page', 'limit'), TEXT_JSON))
        const limited = { ...scan, limit: scan.limit ?? 3 }
        expect((await gateways.pagesOf(pathOf('', limited, 'page'))).flat()).toEqual(whole)
      }),
      { numRuns: testRuns(40) },
    )
  })

  test('passes over rows and cells that are deleted in between, and nothing else', async () => {
    const { store } = gateways.both[0]
    const deletions = fc.array(fc.tuple(arbitraryKey, fc.constantFrom('q0', 'q1', 'q2')), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(
        arbitraryRows,
        arbitraryScan,
        deletions,
        async (rows, { page, reversed, one }, gone) => {
          // Filters would show the rows that deletions leave in other ways.
          const scan = {
            page,
            reversed: reversed ?? false,
            ...(one !== undefined && 'batchsize' in one && { one }),
          }
          await gateways.putOnly(rows)
          const whole = cellsOf(await gateways.both[0].get(pathOf('', scan, 'page'), TEXT_JSON))
          const seen = new Set<string>()
          const deleted = new Set<string>()
          const left = [...gone]
          const pages = await gateways.pagesOf(pathOf('', scan), async (shown) => {
            for (const cell of shown) seen.add(nameOf(cell))
            // The last cell that the client has, which its token names, and any other.
            const last = shown.at(-1)
            const next = left.pop()
            const columns = [last && ([last.key, last.column.slice(2)] as const), next]
            for (const column of columns) {
              if (column === undefined) continue
              const [row, qualifier] = column
              const batch = new MutationBatch().deleteColumn(Buffer.from(row), F, Buffer.from(qualifier))
              batch.endMutation()
              await store.rows.mutate(TABLE, batch, OWN_CALL)
              if (!seen.has(`${row} f:${qualifier}`)) deleted.add(`${row} f:${qualifier}`)
            }
          })
          expect(pages.flat()).toEqual(whole.filter((cell) => !deleted.has(nameOf(cell))))
        },
      ),
      { numRuns: testRuns(60) },
    )
  })

  test('ends a page of many bytes early, and a limit of many bytes not at all', async () => {
    await gateways.putOnly([])
    const value = Buffer.alloc(400_000, 'v')
    const batch = new MutationBatch()
    for (const row of ['a', 'b', 'c', 'd', 'e', 'g'])
      batch.put(Buffer.from(row), F, EMPTY, value).endMutation()
    await gateways.both[0].store.rows.mutate(TABLE, batch, OWN_CALL)
    const pages = await gateways.pagesOf('/t/*?page=5')
    expect(pages.map((page) => page.length)).toEqual([3, 3, 0])
    const limited = await gateways.both[0].get('/t/*?limit=5', TEXT_JSON)
    expect([cellsOf(limited).length, nextOf(limited)]).toEqual([5, undefined])
  })

  test('has its link in every form of rows, and none at its end', async () => {
    await gateways.putOnly([
      ['a', 1, 1],
      ['b', 1, 1],
    ])
    const forms = [
      'application/json',
      'text/xml',
      TEXT_JSON,
      'application/x-ndjson',
      'application/x-ndjson;cells=text',
    ]
    for (const accept of forms) {
      const link = nextOf(await gateways.both[0].get('/t/*?page=1', accept))!
      expect(link).toMatch(/^\/t\/\*\?page=1&token=[\w-]+$/)
      expect(nextOf(await gateways.both[1].get(link.replace('page=1', 'page=9'), accept))).toBeUndefined()
      expect(nextOf(await gateways.both[1].get('/t/*?startrow=a&endrow=a&page=1', accept))).toBeUndefined()
      expect(nextOf(await gateways.both[1].get('/t/*', accept))).toBeUndefined()
    }
  })

  test('limits all pages together where both are asked for', async () => {
    await gateways.putOnly(['a', 'b', 'c', 'd', 'e'].map((row) => [row, 1, 1] as const))
    const pages = await gateways.pagesOf('/t/*?page=2&limit=3')
    expect(pages.map((page) => page.map(({ key }) => key).join(''))).toEqual(['ab', 'c'])
  })
})
