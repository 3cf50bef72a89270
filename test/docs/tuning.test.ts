import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMPACTION_SETTINGS } from '../../adapters/native/compact/compaction-options.ts'
import { compactionRules } from '../../adapters/native/compact/compaction-rules.ts'
import { DEFAULT_NATIVE_OPTIONS } from '../../adapters/native/native-options.ts'
import { nativeSettings } from '../../adapters/native/native-settings.ts'
import { SPLIT_SETTINGS } from '../../adapters/native/split/split-options.ts'
import { UPKEEP_SETTINGS } from '../../adapters/native/upkeep/upkeep-options.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const page = readFileSync('docs/tuning.md', 'utf8')
const LAST = '## By the time of cells'
// Settings of the other parts of the engine stand in sections of their own, behind the last of these.
const [ofFiles, rest] = page.split(LAST)
const sections = `${ofFiles!}${rest!.split('\n## ')[0]!}`
const rows = sections.split('\n').filter((line) => line.startsWith('| ') && line.includes('`hbase.'))
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
  })
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
      const told = setting.parse(documented.get(keys[0]!)!.value)
      const value = (options as unknown as Record<string, unknown>)[name]
      const isNone = value === undefined || value === Number.POSITIVE_INFINITY
      expect(told, keys[0]).toBe(isNone ? undefined : value)
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
