import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compactionRules } from '../../adapters/native/compact/compaction-rules.ts'
import { cachePolicyOf } from '../../adapters/native/hfile/cache-policy.ts'
import { type FileOrigin, familyFileOptions } from '../../adapters/native/hfile/family-file-options.ts'
import { COMPACTION_SETTINGS } from '../../adapters/native/options/compaction-options.ts'
import { DEFAULT_NATIVE_OPTIONS } from '../../adapters/native/options/native-options.ts'
import { nativeSettings } from '../../adapters/native/options/native-settings.ts'
import { SPLIT_SETTINGS } from '../../adapters/native/options/split-options.ts'
import { UPKEEP_SETTINGS } from '../../adapters/native/options/upkeep-options.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const GIB = 1024 ** 3
const ORIGINS: readonly FileOrigin[] = ['flush', 'minor compaction', 'major compaction']

const page = readFileSync('docs/tuning.md', 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`hbase.'))
const documented = new Map(
  rows.flatMap((row) => {
    const [, name, keys, value] = row.split('|').map((cell) => cell.trim())
    return [...keys!.matchAll(/`(hbase\.[\w.]+)`/g)].map(
      (match) => [match[1]!, { name: name!, value: value! }] as const,
    )
  }),
)

/** The keys that the code looks up, and nothing is stated of. */
function keysRead(): Set<string> {
  const keys = new Set<string>()
  nativeSettings((key) => {
    keys.add(key)
    return undefined
  }, GIB)
  return keys
}

test('each key of the page is read, and each that is read is on the page', () => {
  expect([...documented.keys()].sort()).toEqual([...keysRead()].sort())
})

test('the defaults are those of the code', () => {
  const { compaction, split, upkeep } = DEFAULT_NATIVE_OPTIONS
  for (const [settings, options] of [
    [COMPACTION_SETTINGS, compaction],
    [SPLIT_SETTINGS, split],
    [UPKEEP_SETTINGS, upkeep],
  ] as const) {
    for (const [name, setting] of Object.entries(settings)) {
      const { keys } = setting
      const stated = setting.parse(documented.get(keys[0]!)!.value)
      const value = (options as unknown as Record<string, unknown>)[name]
      const isNone = value === undefined || value === Number.POSITIVE_INFINITY
      expect(stated, keys[0]).toBe(isNone ? undefined : value)
    }
  }
})

test('what is marked ** is read of tables and families', () => {
  const marked = [...documented].filter(([, { name }]) => name.endsWith('**')).map(([key]) => key)
  const keys = new Set<string>()
  const attributes = new Map<string, string>()
  attributes.get = (key): undefined => void keys.add(key)
  const family = familyDescriptor('f')
  const table = { ...tableDescriptor(parseTableName('t'), [family]), attributes }
  compactionRules(DEFAULT_NATIVE_OPTIONS.compaction, table, family, 1)
  expect([...keys].sort()).toEqual(marked.sort())
})

test('the share of the memory that all memstores take may be bytes, too', () => {
  const read = (text: string): number | undefined =>
    nativeSettings((key) => (key === 'hbase.regionserver.global.memstore.size' ? text : undefined), GIB)
      .memstoreBytesMax
  expect(documented.get('hbase.regionserver.global.memstore.size')!.value).toBe(
    String(DEFAULT_NATIVE_OPTIONS.memstoreBytesMax),
  )
  expect(['0.25', '1', '65536'].map(read)).toEqual([GIB / 4, GIB, 65536])
  for (const text of ['0', '-1', 'much']) expect(() => read(text)).toThrow(RangeError)
})

test('settings of splits are read, and the rest of them stay as they are', () => {
  const stated = new Map([
    [
      'hbase.regionserver.region.split.policy',
      'org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy',
    ],
    ['hbase.hregion.max.filesize', '5000000'],
    ['hbase.hregion.split.overallfiles', 'true'],
    ['hbase.quota.enabled', 'true'],
  ])
  expect(nativeSettings((key) => stated.get(key), GIB).split).toEqual({
    ...DEFAULT_NATIVE_OPTIONS.split,
    policy: 'org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy',
    fileBytesMax: 5_000_000,
    overallFiles: true,
    keepsNamespaceLimits: true,
  })
  stated.set('hbase.regionserver.region.split.policy', 'a.B')
  expect(() => nativeSettings((key) => stated.get(key), GIB)).toThrow(/split\.policy = "a\.B" is invalid/)
})

test('the attributes of memory and files are those that the code reads', () => {
  const stated = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]!)
  const keys = new Set(['IN_MEMORY_COMPACTION'])
  const attributes = new Map<string, string>()
  attributes.get = (key): undefined => void keys.add(key)
  const family = { ...familyDescriptor('f'), attributes }
  cachePolicyOf(family)
  for (const origin of ORIGINS) familyFileOptions(family, origin)
  expect(stated.sort()).toEqual([...keys].sort())
})
