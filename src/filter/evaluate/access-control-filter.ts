import type { ReadableFamily } from '../../model/filter.ts'
import type { Turn } from '../turns/turn.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { CellAcl } from './cell-acl.ts'
import { isOfFamily, isSameColumn, qualifierLength, qualifierOffset } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

interface KnownFamily extends Omit<ReadableFamily, 'readable'> {
  /** Qualifiers as latin1 text. */
  readonly readable: 'whole' | ReadonlySet<string>
}

/**
 * Lets a subject see the cells that he may read by his permissions of their column, or by their own. HBase: AccessControlFilter
 * with the strategy CHECK_CELL_DEFAULT.
 */
export class AccessControlFilter extends BaseEvaluator {
  readonly #families: readonly KnownFamily[]
  readonly #turn: Turn
  readonly #acl: CellAcl
  /** The column of the cell before. */
  readonly #column = new KeyCell()
  #before: Buffer | undefined
  #versions = 0

  constructor(families: readonly ReadableFamily[], names: readonly string[], turn: Turn) {
    super()
    this.#families = families.map(({ name, maxVersions, readable }) => ({
      name,
      maxVersions,
      readable:
        readable === 'whole' ? readable : new Set(readable.map((qualifier) => qualifier.toString('latin1'))),
    }))
    this.#turn = turn
    this.#acl = new CellAcl(names, 'READ')
  }

  override reset(): void {
    this.#before = undefined
  }

  override filterCell(buffer: Buffer, cell: number, tags = 0, tagsBytes = 0): FilterCode {
    this.#turn.spendBytes(tagsBytes)
    const family = this.#families.find(({ name }) => isOfFamily(buffer, cell, name))
    if (family === undefined) return FilterCode.Skip
    const isSame = this.#before !== undefined && isSameColumn(this.#before, 0, buffer, cell)
    if (!isSame) this.#before = this.#column.keyOf(buffer, cell)
    this.#versions = isSame ? this.#versions + 1 : 1
    // A raw scan has versions that no other read shows.
    if (this.#versions > family.maxVersions) return FilterCode.Skip
    const allows = mayRead(family, buffer, cell) || this.#acl.allows(buffer, tags, tagsBytes)
    return allows ? FilterCode.Include : FilterCode.Skip
  }
}

function mayRead({ readable }: KnownFamily, buffer: Buffer, cell: number): boolean {
  if (readable === 'whole') return true
  if (readable.size === 0) return false
  const start = qualifierOffset(buffer, cell)
  return readable.has(buffer.toString('latin1', start, start + qualifierLength(buffer, cell)))
}
