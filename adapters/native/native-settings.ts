/** The engine's options by HBase's keys, as an hbase-site.xml has them. */

import { COMPACTION_SETTINGS } from './compact/compaction-options.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from './native-options.ts'
import { decimal, InvalidSetting, type Lookup, readSettings, type SettingsOf, whole } from './settings.ts'
import { SPLIT_SETTINGS } from './split/split-options.ts'
import { UPKEEP_SETTINGS } from './upkeep/upkeep-options.ts'

const ENGINE_SETTINGS: SettingsOf<NativeOptions> = {
  flushBytes: whole(1, 'hbase.hregion.memstore.flush.size'),
  blockMultiplier: whole(1, 'hbase.hregion.memstore.block.multiplier'),
  cellBytesMax: whole(1, 'hbase.server.keyvalue.maxsize'),
  timestampSlopMs: whole(0, 'hbase.hregion.keyvalue.timestamp.slop.millisecs'),
}

const GLOBAL_MEMSTORE = decimal(0, 'hbase.regionserver.global.memstore.size')

/** The keys that `nativeSettings` looks up. */
export const NATIVE_KEYS: readonly string[] = [
  ENGINE_SETTINGS,
  { memstoreBytesMax: GLOBAL_MEMSTORE },
  COMPACTION_SETTINGS,
  SPLIT_SETTINGS,
  UPKEEP_SETTINGS,
].flatMap((settings) => Object.values(settings).flatMap(({ keys }) => keys))

/** HBase's key is a share of Java's heap. Above 1 it is a number of bytes. */
function globalMemstore(heapBytes: number): SettingsOf<NativeOptions> {
  return {
    memstoreBytesMax: {
      keys: GLOBAL_MEMSTORE.keys,
      parse: (text) => {
        const size = GLOBAL_MEMSTORE.parse(text) ?? 0
        if (size === 0) return undefined
        return Math.floor(size > 1 ? size : size * heapBytes)
      },
      values: 'a share of the memory up to 1, or bytes',
    },
  }
}

/**
 * The options that `lookup` states. `heapBytes`: the memory that shares are of. Throws InvalidSetting for a text that is no value.
 */
export function nativeSettings(lookup: Lookup, heapBytes: number): Partial<NativeOptions> {
  const defaults = DEFAULT_NATIVE_OPTIONS
  const compaction = readSettings(COMPACTION_SETTINGS, lookup, refuse)
  const split = readSettings(SPLIT_SETTINGS, lookup, refuse)
  const upkeep = readSettings(UPKEEP_SETTINGS, lookup, refuse)
  return {
    ...readSettings(ENGINE_SETTINGS, lookup, refuse),
    ...readSettings(globalMemstore(heapBytes), lookup, refuse),
    ...(Object.keys(compaction).length > 0 && { compaction: { ...defaults.compaction, ...compaction } }),
    ...(Object.keys(split).length > 0 && { split: { ...defaults.split, ...split } }),
    ...(Object.keys(upkeep).length > 0 && { upkeep: { ...defaults.upkeep, ...upkeep } }),
  }
}

function refuse(key: string, text: string, values: string): void {
  throw new InvalidSetting(key, text, values)
}
