import type { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { RepeatableOption } from '../../../src/cli/flags/given-once.ts'
import { buildProgram } from '../../../src/cli/program.ts'
import { parsedSettings } from '../parsed-settings.ts'

interface Given {
  /** With the commands above it. */
  readonly command: readonly string[]
  readonly option: Option
}

const REPEATABLE = [
  'serve --define',
  'serve --cors-origin',
  'serve --tls-certificate',
  'serve --tls-key',
  'serve --tls-client-ca',
  'serve --tls-client-crl',
  'serve --jwt-secret',
  'serve --jwt-key',
  'serve --proxy-user',
  'shell --execute',
  'backup restore --table',
  'copy --table',
  'replay --header',
]

/** Each option with a value, of each subcommand. */
function valuedOptions(command: Command, names: readonly string[] = []): Given[] {
  const own = command.options.filter(({ required, optional }) => required || optional)
  return [
    ...own.map((option) => ({ command: names, option })),
    ...command.commands.flatMap((child) => valuedOptions(child, [...names, child.name()])),
  ]
}

const nameOf = ({ command, option }: Given): string => [...command, option.long].join(' ')
const OPTIONS = valuedOptions(buildProgram())

/** The refusal of a command line, each of whose options may have any value. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const program = buildProgram()
  let said = ''
  const soften = (command: Command): void => {
    command.exitOverride().configureOutput({ outputError: (text) => (said += text) })
    for (const option of command.options) {
      delete option.parseArg
      option.mandatory = false
    }
    for (const child of command.commands) soften(child)
  }
  soften(program)
  // An unknown option at the end keeps the command from doing its work.
  await program.parseAsync([...args, '--no-such-option'], { from: 'user' }).catch(() => undefined)
  return said
}

test('an option that takes one value is refused twice, also with the same value, at every subcommand', async () => {
  const single = OPTIONS.filter((given) => !REPEATABLE.includes(nameOf(given)))
  expect(single.length).toBeGreaterThan(100)
  for (const { command, option } of single) {
    const again = [...command, `${option.long}=x`, `${option.long}=x`]
    expect(await refusalOf(again)).toContain(`option '${option.flags}' is given twice, and takes one value`)
    expect(await refusalOf([...command, `${option.long}=x`])).toContain("unknown option '--no-such-option'")
  }
})

test('the options that may be repeated are these, and their help says so', async () => {
  const repeatable = OPTIONS.filter(({ option }) => option instanceof RepeatableOption || option.variadic)
  expect(repeatable.map(nameOf).toSorted()).toEqual(REPEATABLE.toSorted())
  for (const { command, option } of repeatable) {
    expect(option.variadic || option.description.includes('may be repeated')).toBe(true)
    const again = [...command, `${option.long}=x`, `${option.long}=y`]
    expect(await refusalOf(again)).toContain("unknown option '--no-such-option'")
  }
})

test('a flag without a value may stand twice', async () => {
  expect(await refusalOf(['check', '.', '--json', '--json'])).toContain("unknown option '--no-such-option'")
})

test.each([
  [
    ['-D', 'hbase.quota.enabled=true', '-D', 'hbase.quota.enabled=false'],
    'hbase.quota.enabled is given twice',
  ],
  [
    ['--users', 'u', '--proxy-user', 'hue for ann from *', '--proxy-user', 'hue for bob from localhost'],
    'A rule of hue is given twice',
  ],
  [['--users', 'u', '--proxy-user', 'hue for a from *; hue for b from *'], 'A rule of hue is given twice'],
])('%j: of two values of one name none would count', (args, reason) => {
  expect(() => parsedSettings('--store', 'memory', ...args)).toThrow(reason)
})
