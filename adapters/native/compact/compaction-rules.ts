import type { FamilyDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { COMPACTION_SETTINGS, type CompactionOptions } from '../options/compaction-options.ts'
import { readSettings } from '../options/settings.ts'

/** The options of one store, complete. */
export interface CompactionRules extends CompactionOptions {
  readonly bytesMin: number
  readonly largeBytes: number
  readonly tierAgeMaxMs: number
}

/**
 * The rules of a family: HBase's keys among the attributes and the configuration of the family and the attributes of its
 * table go before the engine's options, as in HStore. An attribute that is no value is passed over.
 */
export function compactionRules(
  options: CompactionOptions,
  table: TableDescriptor,
  family: FamilyDescriptor,
  flushBytes: number,
): CompactionRules {
  const lookup = (key: string): string | undefined =>
    family.attributes.get(key) ?? family.configuration?.get(key) ?? table.attributes.get(key)
  const stated = { ...options, ...readSettings(COMPACTION_SETTINGS, lookup) }
  return {
    ...stated,
    filesMin: Math.max(2, stated.filesMin),
    bytesMin: stated.bytesMin ?? flushBytes,
    largeBytes: stated.largeBytes ?? 2 * stated.filesMax * flushBytes,
    tierAgeMaxMs: stated.tierAgeMaxMs ?? stated.fileAgeMaxMs,
  }
}

/** The rules that hold off-peak, when larger compactions disturb few clients. HBase: CompactionConfiguration's mayUseOffpeak. */
export function offPeakRules(rules: CompactionRules): CompactionRules {
  return { ...rules, ratio: rules.ratioOffPeak, bytesMax: rules.bytesMaxOffPeak ?? rules.bytesMax }
}

/** HBase: TableDescriptor.isCompactionEnabled. */
export function isCompactionEnabled(table: TableDescriptor): boolean {
  return table.attributes.get('COMPACTION_ENABLED')?.toLowerCase() !== 'false'
}
