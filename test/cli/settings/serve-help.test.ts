import { expect, test } from 'vitest'
import { buildProgram } from '../../../src/cli/program.ts'
import { SERVE_EXAMPLES } from '../../../src/cli/settings/serve-help.ts'
import { flagOf } from '../../../src/cli/settings/setting.ts'
import { SETTING_NAMES, SETTINGS } from '../../../src/cli/settings/settings-table.ts'

function helpOf(...args: readonly string[]): string {
  return helpOfCommand('serve', ...args)
}

function helpOfCommand(name: string, ...args: readonly string[]): string {
  const { commands } = buildProgram(['node', 'tidegate', name, ...args])
  return commands.find((command) => command.name() === name)!.helpInformation()
}

const flagsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!)

test('the short help has the examples first, and the dozen options that users need most', () => {
  const help = helpOf('--help')
  const places = SERVE_EXAMPLES.map(({ command }) => help.indexOf(`\n  ${command}\n`))
  expect(places).toHaveLength(3)
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(Math.max(...places)).toBeLessThan(help.indexOf('Store:'))
  const flags = flagsIn(help)
  expect(flags).toContain('--store')
  expect(flags).toContain('--help')
  expect(flags.length).toBeLessThan(17)
})

test('--help all has every option, each below the heading of its group', () => {
  const help = helpOf('--help', 'all')
  expect(flagsIn(help).toSorted()).toEqual([...SETTING_NAMES.map(flagOf), '--help'].toSorted())
  for (const group of new Set(SETTING_NAMES.map((name) => SETTINGS[name].group)))
    expect(help).toContain(`\n${group}:\n`)
})

test('no line of either is wider than a terminal, but for long words', () => {
  for (const help of [helpOf('--help'), helpOf('-h', 'all')])
    expect(
      help.split('\n').filter((line) => line.length > 80 && line.includes(' ', line.search(/\S/))),
    ).toEqual([])
})

test('a setting that is no by default shows no default, of the demo too', () => {
  for (const help of [helpOf('--help', 'all'), helpOfCommand('demo', '--help')]) {
    expect(help).toContain('--insecure [yes]')
    expect(help).not.toMatch(/default: false|preset:/)
    expect(help).toContain('(default: ')
  }
})
