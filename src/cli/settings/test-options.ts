/** `--test-mode` and `--seed`: a server for tests of clients. */

import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { reasonOf } from '../../model/error-reason.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseYesNo } from './door-options.ts'

export interface TestSettings {
  /** Undefined: nobody may empty the store or ask for faults. */
  readonly testMode: { readonly seed: unknown } | undefined
}

export function testOptions(): readonly Option[] {
  return [
    new Option('--test-mode [yes]', 'tests may empty the store and ask for faults, at /_test of the web door')
      .env('TIDEGATE_TEST_MODE')
      .preset('true')
      .argParser(parseYesNo)
      .default(false),
    new Option(
      '--seed <file>',
      'in test mode: the tables and rows of an empty store (JSON: docs/testing.md)',
    ).env('TIDEGATE_SEED'),
  ]
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`--seed ${path} cannot be read as JSON (${reasonOf(error)})`)
  }
}

/** Throws UsageError for settings that do not fit each other. `store`: its kind; `processes`: that serve the ports. */
export function readTestSettings(command: Command, store: string): TestSettings {
  const seed = command.getOptionValue('seed') as string | undefined
  const isOn = command.getOptionValue('testMode') === true
  if (!isOn && seed !== undefined) throw new UsageError('--seed needs --test-mode')
  if (isOn && store === 'hbase')
    throw new UsageError(
      '--test-mode: tests would empty a whole cluster; use --store memory or native:DIRECTORY',
    )
  return { testMode: isOn ? { seed: seed === undefined ? {} : readJson(seed) } : undefined }
}
