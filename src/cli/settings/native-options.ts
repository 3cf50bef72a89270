/** The embedded engine as the store: the keys of hbase-site.xml that its servers read. */

import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { nativeSettings } from '../../../adapters/native/options/native-settings.ts'
import { InvalidSetting } from '../../../adapters/native/options/settings.ts'
import { UsageError } from '../failures/usage-error.ts'
import { heapBytes } from './block-cache-option.ts'

export interface NativeStoreSpec {
  readonly kind: 'native'
  readonly directory: string
  /** The stated options; the others have the engine's defaults. */
  readonly options?: Partial<NativeOptions>
}

/** Adds the properties to a `--store`. Throws UsageError. */
export function nativeOptions(
  spec: NativeStoreSpec,
  properties: ReadonlyMap<string, string>,
): NativeStoreSpec {
  try {
    const options = nativeSettings((key) => properties.get(key), heapBytes())
    return Object.keys(options).length > 0 ? { ...spec, options } : spec
  } catch (error) {
    if (error instanceof InvalidSetting) throw new UsageError(error.message, error.key)
    throw error
  }
}
