/** Settings of visibility labels. HBase's keys are in docs/security-reference.md. */

/** A step that makes the labels of a read from those of the step before. HBase: ScanLabelGenerator. */
export type LabelGenerator = 'feed-user' | 'defined-set' | 'enforcing' | 'simple'

export interface LabelSettings {
  /** True where mutations may name only labels that their user may see. HBase: hbase.security.visibility.mutations.checkauths. */
  readonly checksAuths: boolean
  readonly generators: readonly LabelGenerator[]
}

export const DEFAULT_LABEL_SETTINGS: LabelSettings = {
  checksAuths: false,
  generators: ['feed-user', 'defined-set'],
}

/** The labels of a read. `asked`: the labels that it names; undefined: none. `auths`: the labels that its user may see. */
export function generatedLabels(
  generators: readonly LabelGenerator[],
  asked: readonly string[] | undefined,
  auths: readonly string[],
): readonly string[] {
  let labels = asked
  for (const generator of generators) labels = generated(generator, labels, auths)
  return labels ?? []
}

function generated(
  generator: LabelGenerator,
  labels: readonly string[] | undefined,
  auths: readonly string[],
): readonly string[] {
  switch (generator) {
    case 'feed-user':
      return labels === undefined || labels.length === 0 ? auths : labels
    case 'defined-set':
      return (labels ?? []).filter((label) => auths.includes(label))
    case 'enforcing':
      return auths
    case 'simple':
      return labels ?? []
  }
}
