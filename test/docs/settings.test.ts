import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flagOf } from '../../src/cli/settings/setting.ts'
import { SETTING_NAMES, SETTINGS } from '../../src/cli/settings/settings-table.ts'

const pages = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(`docs/${name}`, 'utf8'))
  .join('\n')
const library = readFileSync('docs/library.md', 'utf8')

const isDescribed = (flag: string): boolean => new RegExp(`${flag}(?![\\w-])`).test(pages)

test('each flag of tidegate serve stands in some page', () => {
  expect(SETTING_NAMES.map(flagOf).filter((flag) => !isDescribed(flag))).toEqual([])
})

test('each option of the library stands on its page, but for the limits, which have a page of their own', () => {
  // A library serves in its own process.
  const options = SETTING_NAMES.filter((name) => name !== 'processes' && SETTINGS[name].group !== 'Limits')
  expect(options.length).toBeGreaterThan(40)
  const rows = library.split('\n').filter((line) => line.startsWith('| `'))
  const described = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  expect(described.toSorted()).toEqual(options.toSorted())
})
