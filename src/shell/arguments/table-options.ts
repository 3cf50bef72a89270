/** The attributes of a table as `create` and `alter` state them. HBase: Admin.update_htd_from_arg. */

import { type RubyHash, textOf, type Value } from '../ruby/values.ts'
import { booleanOf, int32Of, int64Of } from './argument-values.ts'
import { addPairs } from './family-options.ts'

const flag = (value: Value): string => String(booleanOf(value))
const int32 = (value: Value, name: string): string => String(int32Of(value, name))
const int64 = (value: Value, name: string): string => String(int64Of(value, name))

const READERS: Readonly<Record<string, (value: Value, name: string) => string>> = {
  OWNER: textOf,
  MAX_FILESIZE: int64,
  READONLY: flag,
  COMPACTION_ENABLED: flag,
  SPLIT_ENABLED: flag,
  MERGE_ENABLED: flag,
  NORMALIZATION_ENABLED: flag,
  NORMALIZER_TARGET_REGION_COUNT: int32,
  NORMALIZER_TARGET_REGION_SIZE: int64,
  MEMSTORE_FLUSHSIZE: int64,
  DURABILITY: (value) => textOf(value).toUpperCase(),
  PRIORITY: int32,
  FLUSH_POLICY: textOf,
  REGION_MEMSTORE_REPLICATION: flag,
  SPLIT_POLICY: textOf,
  REGION_REPLICATION: int32,
}

/** Sets the attributes that the options state, and removes those options from the hash. */
export function applyTableOptions(options: RubyHash, attributes: Map<string, string>): void {
  for (const [key, read] of Object.entries(READERS)) {
    const value = options.take(key)
    if (value !== undefined) attributes.set(key, read(value, key))
  }
  addPairs(options.take('METADATA'), 'METADATA', attributes)
  addPairs(options.take('CONFIGURATION'), 'CONFIGURATION', attributes)
}

const COPROCESSOR_KEY = /^coprocessor\$(\d+)$/

/** Adds the coprocessors of options such as `'coprocessor' => 'path|class|priority|arguments'`, and removes these options from the hash. */
export function applyCoprocessors(options: RubyHash, attributes: Map<string, string>): void {
  for (const [key, value] of options.entries()) {
    const name = textOf(key).trim()
    if (!/coprocessor/i.test(name)) continue
    options.take(textOf(key))
    const numbers = [...attributes.keys()].map((each) => Number(COPROCESSOR_KEY.exec(each)?.[1] ?? 0))
    attributes.set(`coprocessor$${Math.max(0, ...numbers) + 1}`, textOf(value).trim())
  }
}
