/** `--test-mode` and `--seed`: a server for tests of clients. */

import { readFileSync } from 'node:fs'
import { reasonOf } from '../../model/error-reason.ts'
import { UsageError } from '../failures/usage-error.ts'
import { type SettingsOf, yesNo } from './setting.ts'

export interface TestValues {
  readonly testMode: boolean
  /** The path of a JSON file; undefined: the store begins empty. */
  readonly seed: string | undefined
}

export interface TestSettings {
  /** Undefined: no client may empty the store or ask for faults. */
  readonly testMode: { readonly seed: unknown } | undefined
}

export const TEST_SETTINGS: SettingsOf<TestValues> = {
  testMode: yesNo('Tests', 'tests may empty the store and ask for faults, at /_test of the web door'),
  seed: {
    group: 'Tests',
    takes: '<file>',
    about: 'in test mode: the tables and rows of an empty store (JSON: docs/testing.md)',
    fallback: undefined,
  },
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`--seed ${path} cannot be read as JSON (${reasonOf(error)})`)
  }
}

/** `store`: its kind. Throws UsageError for settings that do not fit each other. */
export function testSettings({ testMode: isOn, seed }: TestValues, store: string): TestSettings {
  if (!isOn && seed !== undefined) throw new UsageError('--seed needs --test-mode')
  if (isOn && store === 'hbase')
    throw new UsageError(
      '--test-mode: tests would empty a whole cluster; use --store memory or native:DIRECTORY',
    )
  return { testMode: isOn ? { seed: seed === undefined ? {} : readJson(seed) } : undefined }
}
