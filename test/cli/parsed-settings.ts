import { Command } from 'commander'
import { addServeOptions, readServeSettings, type ServeSettings } from '../../src/cli/serve-options.ts'

/** The settings of `tidegate serve` with these arguments. Throws CommanderError or UsageError, and prints nothing. */
export function parsedSettings(...args: string[]): ServeSettings {
  const command = addServeOptions(new Command('serve'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  command.parse(args, { from: 'user' })
  return readServeSettings(command)
}
