/** `tidegate demo`: a server with the cities of the world, to look at and to try things on. */

import type { Command } from 'commander'
import { parsePath } from '../flags/paths.ts'
import { describedOption, WRAPPED_HELP } from '../settings/serve-help.ts'
import { flagOf, optionFor } from '../settings/setting.ts'
import { SETTINGS, type SettingName } from '../settings/settings-table.ts'

/** The settings of serve that the demo has, too. */
const SHARED = [
  'rest',
  'thrift',
  'rpc',
  'master',
  'zookeeper',
  'web',
  'host',
  'insecure',
  'logLevel',
] as const satisfies readonly SettingName[]

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .summary('serve the larger cities of the world, to look at and to try things on')
    .description(
      'serve the larger cities of the world from a temporary folder, which is removed at the end: tables and rows to look at, and to change in the console',
    )
    .option('--data <directory>', 'keep the data in this folder', parsePath)
  for (const name of SHARED) {
    const option = optionFor(name, SETTINGS[name])
    // One server of a user is often one too many for its folder and ports; variables are of that one.
    delete option.envVar
    command.addOption(name === 'logLevel' ? option.default('warn') : option)
  }
  command
    .configureHelp({ ...WRAPPED_HELP, optionDescription: describedOption })
    .allowExcessArguments(false)
    .exitOverride()
    .action(async ({ data }: { readonly data?: string }) => {
      const { runDemo } = await import('./run-demo.ts')
      await runDemo(statedArguments(command), data)
    })
}

/** As `serve` takes them: what the user has stated, so that messages name no default as if it were stated. */
function statedArguments(command: Command): string[] {
  const values = command.opts<Record<string, unknown>>()
  return SHARED.filter((name) => name === 'logLevel' || command.getOptionValueSource(name) === 'cli').flatMap(
    (name) => [flagOf(name), String(values[name])],
  )
}
