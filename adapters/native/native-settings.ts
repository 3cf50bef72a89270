/** The engine's options by HBase's keys, as an hbase-site.xml has them. */

import { COMPACTION_SETTINGS } from './compact/compaction-options.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from './native-options.ts'
import { type Lookup, readSettings, type SettingsOf, whole } from './settings.ts'
import { SPLIT_SETTINGS } from './split/split-options.ts'
import { UPKEEP_SETTINGS } from './upkeep/upkeep-options.ts'

const ENGINE_SETTINGS: SettingsOf<NativeOptions> = {
  flushBytes: whole(1, 'hbase.hregion.memstore.flush.size'),
  blockMultiplier: whole(1, 'hbase.hregion.memstore.block.multiplier'),
  cellBytesMax: whole(1, 'hbase.server.keyvalue.maxsize'),
  timestampSlopMs: whole(0, 'hbase.hregion.keyvalue.timestamp.slop.millisecs'),
}

/** The options that `lookup` states. Throws RangeError with the key for a text that is no value. */
export function nativeSettings(lookup: Lookup): Partial<NativeOptions> {
  const defaults = DEFAULT_NATIVE_OPTIONS
  const compaction = readSettings(COMPACTION_SETTINGS, lookup, refuse)
  const split = readSettings(SPLIT_SETTINGS, lookup, refuse)
  const upkeep = readSettings(UPKEEP_SETTINGS, lookup, refuse)
  return {
    ...readSettings(ENGINE_SETTINGS, lookup, refuse),
    ...(Object.keys(compaction).length > 0 && { compaction: { ...defaults.compaction, ...compaction } }),
    ...(Object.keys(split).length > 0 && { split: { ...defaults.split, ...split } }),
    ...(Object.keys(upkeep).length > 0 && { upkeep: { ...defaults.upkeep, ...upkeep } }),
  }
}

function refuse(key: string, text: string, values: string): void {
  throw new RangeError(`${key} = "${text}" is invalid. It must be ${values}.`)
}
