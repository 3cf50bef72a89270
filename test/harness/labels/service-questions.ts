/** Labels and who may see them: VisibilityLabelsService, and the table that keeps them. */

import { cellsOf } from '../../../src/model/cell-block.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { LabelOutcome, VisibilityLabels } from '../../../src/store/visibility-labels.ts'
import { answerOf, type Clients, type Question } from './asking.ts'
import { PEOPLE, type Person } from './people.ts'

const LABELS_TABLE = parseTableName('hbase:labels')
const bytes = (names: readonly string[]): Buffer[] => names.map((name) => Buffer.from(name))

function outcomesText(outcomes: readonly LabelOutcome[]): string {
  return outcomes
    .map((outcome) => (outcome === undefined ? 'done' : `${outcome.javaClass}: ${outcome.message}`))
    .join(' | ')
}

function asking(person: Person, ask: (labels: VisibilityLabels) => Promise<LabelOutcome[]>): Question {
  return (as) => answerOf(async () => outcomesText(await ask(as[person].upkeep.labels!)))
}

function listing(person: Person, ask: (labels: VisibilityLabels) => Promise<Buffer[]>): Question {
  return (as) =>
    answerOf(async () => {
      const found = await ask(as[person].upkeep.labels!)
      return found
        .map((each) => each.toString())
        .sort()
        .join(', ')
    })
}

async function labelsTable(as: Clients, person: Person): Promise<string> {
  const { rows, handouts } = as[person]
  const { id } = await rows.openScanner(LABELS_TABLE, scan({}), OWN_CALL)
  const { results } = await handouts.next(id, { rows: 100, bytes: 1e6, allowPartial: false }, OWN_CALL)
  const cells = cellsOf(gathered(results).cells)
  const texts = cells.map(
    ({ row, family, qualifier, value }) =>
      `${row.toString('hex')} ${family.toString('hex')}:${qualifier.toString()}=${value.toString()}`,
  )
  await handouts.closeScanner(id)
  return texts.join(' | ')
}

export const SERVICE_QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries(
    PEOPLE.flatMap((person): [string, Question][] => [
      [`hbase:labels as ${person} reads it`, (as) => answerOf(() => labelsTable(as, person))],
      [`list of labels by ${person}`, listing(person, (labels) => labels.listLabels(undefined, OWN_CALL))],
      [
        `auths of alice told to ${person}`,
        listing(person, (labels) => labels.auths(Buffer.from('alice'), OWN_CALL)),
      ],
      [
        `label added by ${person}`,
        asking(person, (labels) => labels.addLabels(bytes([`of-${person}`]), OWN_CALL)),
      ],
      [
        `auths set by ${person}`,
        asking(person, (labels) => labels.setAuths(Buffer.from('dave'), bytes(['secret']), OWN_CALL)),
      ],
      [
        `auths cleared by ${person}`,
        asking(person, (labels) => labels.clearAuths(Buffer.from('dave'), bytes(['secret']), OWN_CALL)),
      ],
    ]),
  ),
  'labels that are there': asking('super', (labels) =>
    labels.addLabels(bytes(['secret', 'fresh', 'system', 'fresh']), OWN_CALL),
  ),
  'label without bytes': asking('super', (labels) => labels.addLabels(bytes(['']), OWN_CALL)),
  'no labels': asking('super', (labels) => labels.addLabels([], OWN_CALL)),
  'auths of unknown labels': asking('super', (labels) =>
    labels.setAuths(Buffer.from('frank'), bytes(['unknown', 'secret', 'none']), OWN_CALL),
  ),
  'auths of frank': listing('super', (labels) => labels.auths(Buffer.from('frank'), OWN_CALL)),
  'auths cleared that are not set': asking('super', (labels) =>
    labels.clearAuths(Buffer.from('frank'), bytes(['public', 'secret', 'unknown']), OWN_CALL),
  ),
  'auths of frank afterwards': listing('super', (labels) => labels.auths(Buffer.from('frank'), OWN_CALL)),
  'auths of the group': listing('super', (labels) => labels.auths(Buffer.from('@staff'), OWN_CALL)),
  'auths of a member': listing('super', (labels) => labels.auths(Buffer.from('gina'), OWN_CALL)),
  'auths of nobody': listing('super', (labels) => labels.auths(Buffer.from('nobody'), OWN_CALL)),
  'auths of a user without a name': listing('super', (labels) => labels.auths(Buffer.from(''), OWN_CALL)),
  'labels by a pattern': listing('super', (labels) => labels.listLabels('.*secret', OWN_CALL)),
  'labels by a pattern of a part': listing('super', (labels) => labels.listLabels('secre', OWN_CALL)),
  'labels by a pattern of system': listing('super', (labels) => labels.listLabels('sys.*', OWN_CALL)),
  'hbase:labels at the end': (as) => answerOf(() => labelsTable(as, 'super')),
}
