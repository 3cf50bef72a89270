/** Rows of which a user reads and changes what he may. HBase: AccessController, as an observer of regions. */

import { HBaseError } from '../../model/errors.ts'
import type { ColumnCondition, MutationBatch, MutationOptions, RowPart } from '../../model/mutation.ts'
import type { Get, Scan } from '../../model/query.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { Catalog } from '../../store/catalog.ts'
import { withMethods } from '../../store/decorate.ts'
import type { Rows } from '../../store/rows.ts'
import { type Target, targetTable } from '../../store/target.ts'
import { Access, type AccessChecker } from './access-checker.ts'
import { ACL_TABLE } from './acl-rows.ts'
import { deniedRead } from './denials.ts'
import { TableFamilies } from './table-families.ts'
import { mayReadAll, visibleColumns } from './visible-columns.ts'

export interface AuthorizedParts {
  readonly rows: Rows
  readonly catalog: Pick<Catalog, 'table'>
  readonly checker: AccessChecker
  /** Called once somebody has written to hbase:acl. */
  readonly aclWritten: () => void
}

/** Requests of who may read or write the whole table are handed on as they are, after one decision each. */
export function authorizedRows(parts: AuthorizedParts): Rows {
  const { rows } = parts
  return withMethods(rows, {
    get: (target, gets, limits, call) =>
      reading(parts, target, call, gets, (visible) => rows.get(target, visible, limits, call)),
    openScanner: (target, scan, call) =>
      reading(parts, target, call, [scan], ([visible]) => rows.openScanner(target, visible!, call)),
    mutate: (target, batch, call) => {
      const cellAcl = refusedCellAcl(batch.options)
      if (cellAcl !== undefined) return Promise.reject(cellAcl)
      const run = (): ReturnType<Rows['mutate']> => rows.mutate(target, batch, call)
      return changing(parts, target, call, run, (...of) => checkBatch(batch, ...of))
    },
    mutateRow: (target, mutation, call) => {
      const cellAcl = refusedCellAcl(optionsOf([mutation]))
      if (cellAcl !== undefined) return Promise.reject(cellAcl)
      const run = (): ReturnType<Rows['mutateRow']> => rows.mutateRow(target, mutation, call)
      return changing(parts, target, call, run, (...of) => checkParts([mutation], ...of))
    },
    mutateRows: (target, mutation, call) => {
      const cellAcl = refusedCellAcl(optionsOf(mutation.parts))
      if (cellAcl !== undefined) return Promise.reject(cellAcl)
      const run = (): ReturnType<Rows['mutateRows']> => rows.mutateRows(target, mutation, call)
      return changing(parts, target, call, run, (...of) => checkParts(mutation.parts, ...of))
    },
  })
}

/** Permissions of single cells, which HBase keeps as tags of its cells. HBase: AccessControlConstants.OP_ATTRIBUTE_ACL. */
const CELL_ACL = 'acl'

/** A cell whose permissions were not kept would be everybody's who may read its column. HBase says so where its files have no tags. */
function refusedCellAcl(options: readonly MutationOptions[]): HBaseError | undefined {
  return options.some(({ attributes }) => attributes?.has(CELL_ACL) === true)
    ? new HBaseError('DO_NOT_RETRY', 'Cell ACLs cannot be persisted')
    : undefined
}

function optionsOf(parts: readonly Pick<RowPart, 'operations' | 'options'>[]): MutationOptions[] {
  return parts.flatMap(({ options, operations }) => [
    options,
    ...operations.flatMap((operation) => operation.options ?? []),
  ])
}

function reading<Read extends Get | Scan, Answer>(
  { checker, catalog }: AuthorizedParts,
  target: Target,
  call: Call,
  reads: readonly Read[],
  run: (visible: readonly Read[]) => Promise<Answer>,
): Promise<Answer> {
  const table = targetTable(target)
  const decide = (access: Access): Promise<Answer> => {
    if (mayReadAll(access, table)) return run(reads)
    return narrowed(reads, access, new TableFamilies(catalog, table, call)).then(run)
  }
  const access = checker.of(call)
  return access instanceof Access ? decide(access) : access.then(decide)
}

function changing<Answer>(
  { checker, catalog, aclWritten }: AuthorizedParts,
  target: Target,
  call: Call,
  run: () => Promise<Answer>,
  check: (access: Access, families: TableFamilies) => Promise<void>,
): Promise<Answer> {
  const table = targetTable(target)
  const decide = (access: Access): Promise<Answer> => {
    const { grants, subject } = access
    const mayAll = grants.allowsTable(subject, table, 'WRITE') && grants.allowsTable(subject, table, 'READ')
    return mayAll ? run() : check(access, new TableFamilies(catalog, table, call)).then(run)
  }
  const access = checker.of(call)
  const changed = access instanceof Access ? decide(access) : access.then(decide)
  return table === ACL_TABLE ? changed.finally(aclWritten) : changed
}

/** The same reads of the columns that the user may see. Throws ACCESS_DENIED where one of them has none. */
async function narrowed<Read extends Get | Scan>(
  reads: readonly Read[],
  access: Access,
  families: TableFamilies,
): Promise<Read[]> {
  const names = await families.names()
  return reads.map((read) => {
    const columns = visibleColumns(access, families.table, names, read.columns)
    if (columns.length === 0) throw deniedRead(access.subject, families.table)
    return { ...read, columns }
  })
}

/** Throws ACCESS_DENIED for the first mutation that is refused: HBase then applies none of a region's. */
async function checkBatch(batch: MutationBatch, access: Access, families: TableFamilies): Promise<void> {
  // A user who may write all but not read all: nothing of a batch is a condition.
  if (access.grants.allowsTable(access.subject, families.table, 'WRITE')) return
  for (let index = 0; index < batch.length; index++) {
    const written = await families.ofCells(batch.blockOf(index))
    const refusal = access.refusalOf(families.table, 'WRITE', written)
    if (refusal !== undefined) throw await families.refused(refusal)
  }
}

async function checkParts(
  parts: readonly Pick<RowPart, 'operations' | 'condition'>[],
  access: Access,
  families: TableFamilies,
): Promise<void> {
  const { table } = families
  for (const { operations, condition } of parts) {
    const tested = condition?.kind === 'column' ? refusedTest(access, table, condition) : undefined
    if (tested !== undefined) throw await families.refused(tested)
    for (const { cells } of operations) {
      const refusal = access.refusalOf(table, 'WRITE', await families.ofCells(cells))
      if (refusal !== undefined) throw await families.refused(refusal)
    }
    // A filter may look at any column of the row.
    if (condition?.kind === 'filter' && !mayReadAll(access, table)) throw deniedRead(access.subject, table)
  }
}

/** Who learns by a condition what a column has must be one who may read it. HBase: AccessController.preCheckAndPut. */
function refusedTest(
  access: Access,
  table: TableName,
  { family, qualifier }: ColumnCondition,
): HBaseError | undefined {
  const column = [[family, [qualifier]]] as const
  return access.refusalOf(table, 'READ', column) ?? access.refusalOf(table, 'WRITE', column)
}
