/** The page of figures has a row for each field of a server's report, and the comparison that writes it finds a wrong figure. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsOf } from '../harness/figures/figure-rules.ts'
import { comparedFigures } from '../harness/figures/reported-figures.ts'

const PAGE = readFileSync(new URL('../../../docs/figures.md', import.meta.url), 'utf8')

test('the page has a row for each field of the report', () => {
  const missing = comparedFigures().filter((name) => !PAGE.includes(`\n| ${name} | `))
  expect(missing).toEqual([])
})

function of(size: string): ReadonlyMap<string, string> {
  return new Map([
    ['RegionLoad: storeUncompressedSizeMB', size],
    ['ServerLoad: usedHeapMB', size],
  ])
}

test('a figure that differs without a reason is a fault', () => {
  expect(faultsOf({ hbase: of('4'), front: of('4'), engine: of('4') })).toEqual([])
  expect(faultsOf({ hbase: of('4'), front: of('4'), engine: of('2') })).toEqual([
    'RegionLoad: storeUncompressedSizeMB: 4 of HBase, 4 in front of it, 2 of the engine',
  ])
})
