import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEFAULT_NATIVE_OPTIONS } from '../../adapters/native/options/native-options.ts'
import { nativeSettings } from '../../adapters/native/options/native-settings.ts'
import { recordingOf } from '../../conformance/src/runner/recordings.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { flagOf } from '../../src/cli/settings/setting.ts'
import { SETTING_NAMES, SETTINGS } from '../../src/cli/settings/settings-table.ts'
import { ROW_BYTES_MAX } from '../../src/model/cell.ts'

const page = readFileSync('docs/limits.md', 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:limit|---) \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string])

/** By the flag or key with which the row of a limit begins: its default. */
const defaults = new Map(
  rows.flatMap(([, limit, value]) => {
    const name = /^`([\w.-]+)`/.exec(limit)?.[1]
    return name === undefined ? [] : [[name, value] as const]
  }),
)

test('every limit of the table of settings is on the page, with its default', () => {
  const limits = SETTING_NAMES.filter((name) => SETTINGS[name].group === 'Limits')
  expect(limits.length).toBeGreaterThan(9)
  for (const name of limits)
    expect(defaults.get(flagOf(name)), name).toBe(JSON.stringify(SETTINGS[name].fallback))
})

test('every flag of the page is one of the table of settings', () => {
  const flags = new Set(SETTING_NAMES.map(flagOf))
  expect([...defaults.keys()].filter((name) => name.startsWith('--') && !flags.has(name))).toEqual([])
})

test('the defaults of the engine are those of the code', () => {
  const { flushBytes, blockMultiplier, memstoreBytesMax, cellBytesMax, split } = DEFAULT_NATIVE_OPTIONS
  const { heldSnapshotBytesMax, awakeBytesMax, walBytesMax } = DEFAULT_NATIVE_OPTIONS
  const stated = Object.fromEntries([...defaults].filter(([name]) => name.startsWith('hbase.')))
  expect(stated).toEqual({
    'hbase.hregion.memstore.flush.size': String(flushBytes),
    'hbase.hregion.memstore.block.multiplier': String(blockMultiplier),
    'hbase.regionserver.global.memstore.size': String(memstoreBytesMax),
    'hbase.server.keyvalue.maxsize': String(cellBytesMax),
    'hbase.regionserver.regionSplitLimit': String(split.regionsMax),
  })
  const keys = new Set<string>()
  nativeSettings((key) => void keys.add(key), 1)
  expect(Object.keys(stated).filter((key) => !keys.has(key))).toEqual([])
  const fixed = rows
    .map(([, , value]) => value)
    .filter((value) => /^\d+, (?:fixed|at most a twentieth)/.test(value))
  expect(fixed.map((value) => Number.parseInt(value, 10))).toEqual([
    heldSnapshotBytesMax,
    awakeBytesMax,
    walBytesMax,
  ])
})

test('every test that a limit names is there', () => {
  for (const [, limit, , , tests] of rows) {
    const named = [...tests.matchAll(/`(test\/[\w/-]+\.test\.ts)`: ([^;]+)/g)]
    expect(
      named.length > 0 || limit.includes('fixed') || tests.startsWith('recorded') || tests.includes('`docs/'),
      limit,
    ).toBe(true)
    for (const [, file, name] of named) {
      expect(existsSync(file!), file).toBe(true)
      expect(readFileSync(file!, 'utf8'), file).toContain(name!.trim())
    }
  }
})

test('the recorded cases refuse a row key of a byte too many', () => {
  for (const name of ['thrift1-mutations', 'rest-write-json']) {
    const scenario = SCENARIOS.find((each) => each.name === name)!
    const answers = [...recordingOf(scenario).values()].join()
    expect(answers, name).toContain(`> ${ROW_BYTES_MAX}`)
  }
})
