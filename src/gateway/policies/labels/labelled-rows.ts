/** Requests of rows whose cells may have labels. HBase: VisibilityController, as an observer of regions. */

import { type CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { TagType, tagTypes } from '../../../model/cell-tags.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { LABELS_TABLE } from '../../../model/label-rows.ts'
import { inTurnsIfMany } from '../../../model/many-a-turn.ts'
import {
  MutationBatch,
  type MutationOptions,
  type RowOperation,
  type RowPart,
} from '../../../model/mutation.ts'
import type { Steps } from '../../../model/steps.ts'
import { isSystemTable } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { withMethods } from '../../../store/decorate.ts'
import type { MutationFailure, Rows } from '../../../store/rows.ts'
import { type Target, targetTable } from '../../../store/target.ts'
import { OwnTurns } from '../../requests/own-turns.ts'
import { SERVER } from '../access/permissions/subject.ts'
import { ExpressionTags } from './expressions/expression-tags.ts'
import { expressionIn, failedSanityCheck } from './label-attributes.ts'
import { type LabelledReadsParts, labelledReads } from './labelled-reads.ts'

/** Cells that are checked in one step, and bytes of tags that are made in one. */
const STEP_CELLS = 256
const STEP_TAGS_BYTES = 16 * 1024

export interface LabelledParts extends LabelledReadsParts {
  readonly rows: Rows
}

export function labelledRows(parts: LabelledParts): Rows {
  const { rows, current } = parts
  // Also after a failed write, which may have been applied.
  const thenRead = <Outcome>(target: Target, written: Promise<Outcome>): Promise<Outcome> =>
    targetTable(target) === LABELS_TABLE ? written.finally(() => current.changed()) : written
  return withMethods(rows, {
    ...labelledReads(parts),
    mutate: (target, batch, call) => thenRead(target, writing(parts, target, call, rows, batch)),
    mutateRow: async (target, mutation, call) => {
      const part = await labelledPart(target, mutation, () => tagsFor(parts, call))
      return thenRead(target, rows.mutateRow(target, { ...mutation, ...part }, call))
    },
    mutateRows: async (target, mutation, call) => {
      const labelled: RowPart[] = []
      let tags: Promise<Tags> | undefined
      const tagsOnce = (): Promise<Tags> => (tags ??= tagsFor(parts, call))
      const turns = new OwnTurns()
      for (const part of mutation.parts) {
        const pause = turns.pause()
        if (pause !== undefined) await pause
        labelled.push({ ...part, ...(await labelledPart(target, part, tagsOnce)) })
      }
      return thenRead(target, rows.mutateRows(target, { ...mutation, parts: labelled }, call))
    },
  })
}

interface Tags {
  readonly tags: ExpressionTags
  readonly isTrusted: boolean
}

/** Makes the tags of one request: each expression is read once. */
async function tagsFor({ subjects, current, settings }: LabelledParts, call: Call): Promise<Tags> {
  const subject = call.isOwn ? SERVER : subjects.of(call.principal?.user)
  const book = await current.get()
  const isChecked = settings.checksAuths && !subject.isSuperuser
  return {
    tags: new ExpressionTags(book, isChecked ? subject : undefined),
    isTrusted: subject.isSuperuser,
  }
}

async function writing(
  parts: LabelledParts,
  target: Target,
  call: Call,
  rows: Rows,
  batch: MutationBatch,
): Promise<readonly MutationFailure[]> {
  // Cells of system tables get no labels from clients.
  if (isSystemTable(targetTable(target))) return rows.mutate(target, batch, call)
  const bytes = batch.cells.length
  if (batch.options.every(({ attributes }) => attributes === undefined)) {
    const found = inTurnsIfMany(bytes, hasTags(batch.cells.block()))
    if (!(found instanceof Promise ? await found : found)) return rows.mutate(target, batch, call)
  }
  const tags = await tagsFor(parts, call)
  const { labelled, indices, failures } = await inTurnsIfMany(bytes, labelledInSteps(batch, tags))
  const refused = indices.length === 0 ? [] : await rows.mutate(target, labelled, call)
  for (const { index, error } of refused) failures.push({ index: indices[index]!, error })
  return failures.sort((a, b) => a.index - b.index)
}

interface LabelledBatch {
  readonly labelled: MutationBatch
  /** The index in the batch, by mutation of `labelled`. */
  readonly indices: number[]
  readonly failures: MutationFailure[]
}

function* labelledInSteps(batch: MutationBatch, { tags, isTrusted }: Tags): Steps<LabelledBatch> {
  const labelled = new MutationBatch(batch.cells.length)
  const failures: MutationFailure[] = []
  const indices: number[] = []
  let endOfStep = tags.bytes + STEP_TAGS_BYTES
  for (const [index, options] of batch.options.entries()) {
    if (tags.bytes >= endOfStep || index % STEP_CELLS === STEP_CELLS - 1) {
      endOfStep = tags.bytes + STEP_TAGS_BYTES
      yield
    }
    const block = batch.blockOf(index)
    try {
      if (!isTrusted && (yield* hasReservedTags(block))) throw reserved('Mutation')
      const withTags = labelledOptions(options, tags)
      yield* appendInSteps(block, labelled)
      labelled.endMutation(withTags)
      indices.push(index)
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') throw error
      failures.push({ index, error: isInvalidLabel(error) ? failedSanityCheck(error.message) : error })
    }
  }
  return { labelled, indices, failures }
}

function* appendInSteps(block: CellBlock, { cells }: MutationBatch): Steps<void> {
  const cursor = new CellCursor(block)
  for (let count = 1; cursor.next(); count++) {
    if (count % STEP_CELLS === 0) yield
    cells.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
  }
}

function* hasTags(cells: CellBlock): Steps<boolean> {
  const cursor = new CellCursor(cells)
  for (let count = 1; cursor.next(); count++) {
    if (cursor.tagsBytes > 0) return true
    if (count % STEP_CELLS === 0) yield
  }
  return false
}

async function labelledPart(
  target: Target,
  { operations, options }: RowPart,
  tagsOnce: () => Promise<Tags>,
): Promise<Pick<RowPart, 'operations' | 'options'>> {
  if (isSystemTable(targetTable(target)) || !(await mayHaveLabels(operations, options)))
    return { operations, options }
  const tags = await tagsOnce()
  const labelled: RowOperation[] = []
  for (const operation of operations) labelled.push(await labelledOperation(operation, options, tags))
  return { options, operations: labelled }
}

async function mayHaveLabels(
  operations: readonly RowOperation[],
  options: MutationOptions,
): Promise<boolean> {
  for (const { cells, options: own = options } of operations) {
    if (own.attributes !== undefined) return true
    const found = inTurnsIfMany(cells.byteLength, hasTags(cells))
    if (found instanceof Promise ? await found : found) return true
  }
  return false
}

async function labelledOperation(
  operation: RowOperation,
  options: MutationOptions,
  { tags, isTrusted }: Tags,
): Promise<RowOperation> {
  const { kind, cells } = operation
  const name = { mutate: 'Mutation', increment: 'Increment', append: 'Append' }[kind]
  if (!isTrusted && (await inTurnsIfMany(cells.byteLength, hasReservedTags(cells)))) throw reserved(name)
  try {
    return { ...operation, options: labelledOptions(operation.options ?? options, tags) }
  } catch (error) {
    // HBase checks increments and appends in another place, which throws the error as it is.
    throw kind === 'mutate' && isInvalidLabel(error) ? failedSanityCheck(error.message) : error
  }
}

function labelledOptions(options: MutationOptions, tags: ExpressionTags): MutationOptions {
  const expression = expressionIn(options.attributes)
  if (expression === undefined) return options
  return tags.added(options, expression)
}

function isInvalidLabel(error: unknown): error is HBaseError {
  return isHBaseError(error) && error.javaClass.endsWith('.InvalidLabelException')
}

/** Whether a client has put visibility tags into its cells itself. */
function* hasReservedTags(block: CellBlock): Steps<boolean> {
  const cursor = new CellCursor(block)
  for (let count = 1; cursor.next(); count++) {
    if (count % STEP_CELLS === 0) yield
    if (cursor.tagsBytes === 0) continue
    const types = tagTypes(cursor.tags)
    if (RESERVED.some((type) => types.has(type))) return true
  }
  return false
}

/** Types of visibility tags. */
const RESERVED: readonly number[] = [TagType.Visibility, TagType.VisibilityFormat, TagType.VisibilityText]

function reserved(what: string): HBaseError {
  return failedSanityCheck(`${what} contains cell with reserved type tag`)
}
