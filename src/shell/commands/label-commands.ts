/** Commands of visibility labels: their list, the labels of users, and the labels of cells. */

import { toStringBinary } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { MutationBatch } from '../../model/mutation.ts'
import type { LabelOutcome, VisibilityLabels } from '../../store/visibility-labels.ts'
import { expressionMessage, VISIBILITY_ATTRIBUTE } from '../../wire/rpc/label-messages.ts'
import { hashOf, stringOf, tableOf } from '../arguments/argument-values.ts'
import { scanOptions } from '../arguments/read-options.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { scannedRows } from '../context/scanned-rows.ts'
import { beyondReach, refuse } from '../output/shell-error.ts'
import { bytesOf, textOf, type Value } from '../ruby/values.ts'

export const LABEL_COMMANDS: readonly ShellCommand[] = [
  { name: 'add_labels', min: 0, max: undefined, run: addLabels },
  { name: 'list_labels', min: 0, max: 1, run: listLabels },
  { name: 'set_auths', min: 1, max: undefined, run: setAuths },
  { name: 'get_auths', min: 1, max: 1, run: getAuths },
  { name: 'clear_auths', min: 1, max: undefined, run: clearAuths },
  { name: 'set_visibility', min: 3, max: 3, run: setVisibility },
]

const DISABLED = 'DISABLED: Visibility labels feature is not available'

/** The labels of the store. Throws where the servers have none. */
async function labelsOf({ store, call }: CommandContext): Promise<VisibilityLabels> {
  const labels = store.upkeep.labels ?? beyondReach(DISABLED)
  if (!(await labels.areEnforced(call))) refuse(DISABLED)
  return labels
}

async function addLabels(context: CommandContext, args: readonly Value[]): Promise<void> {
  const labels = await labelsOf(context)
  const named = namesIn(args)
  if (named.length === 0) refuse('Arguments cannot be null')
  checkDone(await labels.addLabels(named, context.call))
}

async function setAuths(context: CommandContext, [user, ...args]: readonly Value[]): Promise<void> {
  const labels = await labelsOf(context)
  checkDone(await labels.setAuths(bytesOf(user!), namesIn(args), context.call))
}

async function clearAuths(context: CommandContext, [user, ...args]: readonly Value[]): Promise<void> {
  const labels = await labelsOf(context)
  checkDone(await labels.clearAuths(bytesOf(user!), namesIn(args), context.call))
}

async function getAuths(context: CommandContext, [user]: readonly Value[]): Promise<void> {
  const labels = await labelsOf(context)
  for (const label of await labels.auths(bytesOf(user!), context.call))
    context.out.row([toStringBinary(label)])
}

async function listLabels(context: CommandContext, [pattern]: readonly Value[]): Promise<void> {
  const labels = await labelsOf(context)
  const found = await labels.listLabels(pattern === undefined ? '.*' : textOf(pattern), context.call)
  for (const label of found) context.out.row([toStringBinary(label)])
}

/** The names in the arguments, also those in nested lists. */
function namesIn(args: readonly Value[]): Buffer[] {
  return args
    .flatMap((value) => (Array.isArray(value) ? namesIn(value) : [value]))
    .filter((value) => value !== null)
    .map((value) => bytesOf(value as Value))
}

/** Throws the texts of all refusals, one after the other, as HBase's shell prints their stack traces. */
function checkDone(outcomes: readonly LabelOutcome[]): void {
  const texts = outcomes.flatMap((outcome) =>
    outcome === undefined ? [] : [`${outcome.javaClass}: ${outcome.message}`],
  )
  if (texts.length > 0) refuse(texts.join('\n'))
}

/** Writes the cells that a scan finds again, with the labels. */
async function setVisibility(
  context: CommandContext,
  [named, expression, options]: readonly Value[],
): Promise<void> {
  const table = tableOf(named)
  const value = expressionMessage(stringOf(expression, 'Visibility'))
  const attributes = new Map([[VISIBILITY_ATTRIBUTE, value]])
  const { query } = scanOptions(hashOf(options))
  let rows = 0
  for await (const cells of scannedRows(context, table, query)) {
    const batch = new MutationBatch()
    for (const cell of cells) {
      if (cell.type !== CellType.Put) continue
      batch.put(cell.row, cell.family, cell.qualifier, cell.value, cell.timestamp)
    }
    batch.endMutation({ durability: 'USE_DEFAULT', attributes })
    const [failure] = await context.store.rows.mutate(table, batch, context.call)
    if (failure !== undefined) throw failure.error
    rows++
  }
  context.out.footer(rows)
}
