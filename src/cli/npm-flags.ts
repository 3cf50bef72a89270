/** Flags of `npm start` that should have followed `--`: npm keeps them, and hands them on in the environment only. */

import { Command } from 'commander'
import { addServeOptions } from './settings/serve-options.ts'

/** The flags of `tidegate serve` that npm has taken for settings of its own. */
export function flagsTakenByNpm(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment['npm_lifecycle_event'] === undefined) return []
  const flags = addServeOptions(new Command()).options.map(({ long }) => long!)
  return flags.filter((flag) => {
    // npm has a setting read-only of its own: false is what nobody asked for.
    const value = environment[`npm_config_${flag.slice(2).replaceAll('-', '_')}`]
    return value !== undefined && value !== '' && value !== 'false'
  })
}
