/** The engine's options by HBase's keys, as an hbase-site.xml has them. */

import { MEMSTORE_FLUSH_BYTES_MIN, REGION_FILE_BYTES_MIN } from '../../../src/model/table-checks.ts'
import { COMPACTION_SETTINGS } from './compaction-options.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from './native-options.ts'
import {
  decimal,
  InvalidSetting,
  type Lookup,
  readSettings,
  type Setting,
  type SettingsOf,
  whole,
} from './settings.ts'
import { SPLIT_SETTINGS } from './split-options.ts'
import { UPKEEP_SETTINGS } from './upkeep-options.ts'

const ENGINE_SETTINGS: SettingsOf<NativeOptions> = {
  flushBytes: whole(1, 'hbase.hregion.memstore.flush.size'),
  blockMultiplier: whole(1, 'hbase.hregion.memstore.block.multiplier'),
  cellBytesMax: whole(1, 'hbase.server.keyvalue.maxsize'),
  timestampSlopMs: whole(0, 'hbase.hregion.keyvalue.timestamp.slop.millisecs'),
}

const GLOBAL_MEMSTORE = decimal(0, 'hbase.regionserver.global.memstore.size')

interface SizeLimit {
  readonly size: Setting<number>
  readonly limit: Setting<number>
  readonly bytesMin: number
}

/** Under smaller sizes HBase's master makes no table, unless the limit is stated, too. HBase: TableDescriptorChecker. */
const SIZE_LIMITS: readonly SizeLimit[] = [
  {
    size: SPLIT_SETTINGS.fileBytesMax,
    limit: whole(0, 'hbase.hregion.max.filesize.limit'),
    bytesMin: REGION_FILE_BYTES_MIN,
  },
  {
    size: ENGINE_SETTINGS.flushBytes!,
    limit: whole(0, 'hbase.hregion.memstore.flush.size.limit'),
    bytesMin: MEMSTORE_FLUSH_BYTES_MIN,
  },
]

/** In less memory each write would wait for a flush. */
const GLOBAL_MEMSTORE_BYTES_MIN = 65536

/** The keys that `nativeSettings` looks up. */
export const NATIVE_KEYS: readonly string[] = [
  ENGINE_SETTINGS,
  { memstoreBytesMax: GLOBAL_MEMSTORE },
  COMPACTION_SETTINGS,
  SPLIT_SETTINGS,
  UPKEEP_SETTINGS,
  ...SIZE_LIMITS.map(({ limit }) => ({ limit })),
].flatMap((settings) => Object.values(settings).flatMap(({ keys }) => keys))

/** HBase's key is a share of Java's heap. Above 1 it is a number of bytes. */
function globalMemstore(heapBytes: number): SettingsOf<NativeOptions> {
  return {
    memstoreBytesMax: {
      keys: GLOBAL_MEMSTORE.keys,
      parse: (text) => {
        const size = GLOBAL_MEMSTORE.parse(text) ?? 0
        const bytes = Math.floor(size > 1 ? size : size * heapBytes)
        return bytes >= GLOBAL_MEMSTORE_BYTES_MIN ? bytes : undefined
      },
      values: `a share of the memory up to 1, or bytes, which makes ${GLOBAL_MEMSTORE_BYTES_MIN} bytes at least`,
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
  checkSizes(lookup)
  return {
    ...readSettings(ENGINE_SETTINGS, lookup, refuse),
    ...readSettings(globalMemstore(heapBytes), lookup, refuse),
    ...(Object.keys(compaction).length > 0 && { compaction: { ...defaults.compaction, ...compaction } }),
    ...(Object.keys(split).length > 0 && { split: { ...defaults.split, ...split } }),
    ...(Object.keys(upkeep).length > 0 && { upkeep: { ...defaults.upkeep, ...upkeep } }),
  }
}

function checkSizes(lookup: Lookup): void {
  for (const { size, limit, bytesMin } of SIZE_LIMITS) {
    const stated = readSettings({ limit, size }, lookup, refuse)
    const min = stated.limit ?? bytesMin
    if (stated.size === undefined || stated.size >= min) continue
    refuse(
      size.keys[0]!,
      String(stated.size),
      `a whole number from ${min}, or from what ${limit.keys[0]} states`,
    )
  }
}

function refuse(key: string, text: string, values: string): void {
  throw new InvalidSetting(key, text, values)
}
