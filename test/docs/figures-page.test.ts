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

test('a count of a bean is compared, and a bean may lack one', () => {
  const [five, four, none] = ['5', '4', undefined].map(
    (count) => new Map(count === undefined ? [] : [['REST: failedGet', count]]),
  ) as [Map<string, string>, Map<string, string>, Map<string, string>]
  expect(faultsOf({ hbase: five, front: none, engine: five })).toEqual([])
  expect(faultsOf({ hbase: five, front: none, engine: four })).toEqual([
    'REST: failedGet: 5 of HBase, undefined in front of it, 4 of the engine',
  ])
  expect(faultsOf({ hbase: none, front: none, engine: four })).toHaveLength(1)
})

function ofStoreFiles(bytes: string): ReadonlyMap<string, string> {
  return new Map([['RegionServer,sub=Server: storeFileSize', bytes]])
}

test('whole megabytes are a reason in front of HBase, and none for the engine', () => {
  expect(
    faultsOf({
      hbase: ofStoreFiles('1840000'),
      front: ofStoreFiles('1048576'),
      engine: ofStoreFiles('1840000'),
    }),
  ).toEqual([])
  expect(
    faultsOf({
      hbase: ofStoreFiles('1840000'),
      front: ofStoreFiles('1048576'),
      engine: ofStoreFiles('1048576'),
    }),
  ).toHaveLength(1)
})
