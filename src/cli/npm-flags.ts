/** Flags of `npm start` that should have followed `--`: npm keeps them, and hands them on in the environment only. */

import { flagOf } from './settings/setting.ts'
import { SETTING_NAMES } from './settings/settings-table.ts'

/** The flags of `tidegate serve` that npm has taken for settings of its own. */
export function flagsTakenByNpm(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment['npm_lifecycle_event'] === undefined) return []
  return SETTING_NAMES.map(flagOf).filter((flag) => {
    // npm has a setting read-only of its own, which is false by default.
    const value = environment[`npm_config_${flag.slice(2).replaceAll('-', '_')}`]
    return value !== undefined && value !== '' && value !== 'false'
  })
}
