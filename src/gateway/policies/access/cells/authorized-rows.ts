/** Requests of rows with access control. HBase: AccessController, as an observer of regions. */

import type { CellBlock } from '../../../../model/cell-block.ts'
import { inTurnsIfMany } from '../../../../model/many-a-turn.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import type { Rows } from '../../../../store/rows.ts'
import { type Target, targetTable } from '../../../../store/target.ts'
import { Access } from '../access-checker.ts'
import { ACL_TABLE } from '../permissions/acl-rows.ts'
import { type AuthorizedReadsParts, authorizedReads } from './authorized-reads.ts'
import { batchWithAcls, checkReservedTagsInSteps, partWithAcls } from './cell-acls.ts'
import { TableFamilies } from './table-families.ts'
import { type CheckedWrite, checkBatch, checkParts } from './write-checks.ts'

export interface AuthorizedParts extends AuthorizedReadsParts {
  readonly rows: Rows
  readonly handouts: Handouts
  /** Called after each request that writes to hbase:acl. */
  readonly aclChanged: () => void
}

/** Requests of users who may read or write the whole table pass unchanged, after one decision each. */
export function authorizedRows(parts: AuthorizedParts): Rows {
  const { rows, keepsTags } = parts
  return {
    ...authorizedReads(parts),
    mutate: (target, batch, call) =>
      changing(parts, target, call, {
        cells: () => [batch.cells.block()],
        run: () => rows.mutate(target, batchWithAcls(batch, keepsTags), call),
        check: (write) => checkBatch(batch, write),
      }),
    mutateRow: (target, mutation, call) =>
      changing(parts, target, call, {
        cells: () => mutation.operations.map(({ cells }) => cells),
        run: () => rows.mutateRow(target, partWithAcls(mutation, keepsTags), call),
        check: (write) => checkParts([mutation], write),
      }),
    mutateRows: (target, mutation, call) =>
      changing(parts, target, call, {
        cells: () => mutation.parts.flatMap(({ operations }) => operations.map(({ cells }) => cells)),
        run: () => {
          const withAcls = mutation.parts.map((part) => partWithAcls(part, keepsTags))
          return rows.mutateRows(target, { ...mutation, parts: withAcls }, call)
        },
        check: (write) => checkParts(mutation.parts, write),
      }),
  }
}

interface Change<Answer> {
  /** All written cells. */
  readonly cells: () => readonly CellBlock[]
  readonly run: () => Promise<Answer>
  readonly check: (write: CheckedWrite) => Promise<void>
}

function changing<Answer>(
  parts: AuthorizedParts,
  target: Target,
  call: Call,
  { cells, run: change, check }: Change<Answer>,
): Promise<Answer> {
  const { checker, catalog, keepsTags, aclChanged } = parts
  const table = targetTable(target)
  // Not for a refused request: any user could have all permissions read again, again and again.
  const run = (): Promise<Answer> => (table === ACL_TABLE ? change().finally(aclChanged) : change())
  const decide = (access: Access): Promise<Answer> => {
    const { grants, subject } = access
    const mayAll = grants.allowsWhole(subject, table, 'WRITE') && grants.allowsWhole(subject, table, 'READ')
    const runIfAllowed = (): Promise<Answer> => {
      if (mayAll) return run()
      const families = new TableFamilies(catalog, table, call)
      const earlyOut = parts.earlyOut || !keepsTags
      return check({ store: parts, target, access, families, earlyOut, call }).then(run)
    }
    try {
      const checked = subject.isSuperuser ? undefined : tagsChecked(cells())
      return checked instanceof Promise ? checked.then(runIfAllowed) : runIfAllowed()
    } catch (error) {
      return Promise.reject(error)
    }
  }
  const access = checker.accessOf(call)
  return access instanceof Access ? decide(access) : access.then(decide)
}

/** Throws like checkReservedTagsInSteps; for many cells, the promise rejects. */
function tagsChecked(blocks: readonly CellBlock[]): void | Promise<void> {
  let bytes = 0
  for (const { byteLength } of blocks) bytes += byteLength
  return inTurnsIfMany(bytes, checkReservedTagsInSteps(blocks))
}
