/** Settings of visibility labels by HBase's keys. */

import {
  DEFAULT_LABEL_SETTINGS,
  type LabelGenerator,
  type LabelSettings,
} from '../../gateway/policies/labels/label-settings.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseFlag } from './setting-flag.ts'

const CHECK_AUTHS = 'hbase.security.visibility.mutations.checkauths'
const GENERATORS = 'hbase.regionserver.scan.visibility.label.generator.class'
export const LABEL_KEYS: readonly string[] = [CHECK_AUTHS, GENERATORS]

const PACKAGE = 'org.apache.hadoop.hbase.security.visibility.'
const GENERATOR_CLASSES: Readonly<Record<string, LabelGenerator>> = {
  [`${PACKAGE}FeedUserAuthScanLabelGenerator`]: 'feed-user',
  [`${PACKAGE}DefinedSetFilterScanLabelGenerator`]: 'defined-set',
  [`${PACKAGE}EnforcingScanLabelGenerator`]: 'enforcing',
  [`${PACKAGE}SimpleScanLabelGenerator`]: 'simple',
}

/** Whether hbase.coprocessor.region.classes names the controller of labels. */
export function parseControllers(text: string): boolean {
  return text.split(',').some((name) => name.trim() === `${PACKAGE}VisibilityController`)
}

/** Undefined: there are no labels. Throws UsageError. */
export function labelSettings(
  isOn: boolean,
  properties: ReadonlyMap<string, string>,
): LabelSettings | undefined {
  if (!isOn) return undefined
  const named = (properties.get(GENERATORS) ?? '').split(',').filter((name) => name.trim() !== '')
  const generators = named.map((name) => {
    const generator = GENERATOR_CLASSES[name.trim()]
    if (generator === undefined)
      throw new UsageError(`${GENERATORS}: ${name.trim()} is no class that Tidegate has`, GENERATORS)
    return generator
  })
  return {
    checksAuths: parseFlag(CHECK_AUTHS, properties.get(CHECK_AUTHS)),
    generators: generators.length > 0 ? generators : DEFAULT_LABEL_SETTINGS.generators,
  }
}
