import { Command } from 'commander'
import {
  addServeOptions,
  readServeSettings,
  type ServeSettings,
} from '../../src/cli/settings/serve-options.ts'
import { type NameSetting, settingNames } from '../../src/cli/settings/setting-names.ts'

function commandOf(args: readonly string[]): Command {
  const command = addServeOptions(new Command('serve'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return command.parse(args, { from: 'user' })
}

/** The settings of `tidegate serve` with these arguments. Throws CommanderError or UsageError, and prints nothing. */
export function parsedSettings(...args: string[]): ServeSettings {
  return readServeSettings(commandOf(args))
}

/** What messages call the settings of `tidegate serve` with these arguments. */
export function namedSettings(...args: string[]): NameSetting {
  const command = commandOf(args)
  readServeSettings(command)
  return settingNames(command)
}
