import { CellVisibility, isVisibleTo, type Visibility } from '../../model/visibility.ts'
import type { Turn } from '../turns/turn.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'

/** Passes the cells whose labels the reader has. HBase: VisibilityLabelFilter, DeleteVersionVisibilityExpressionFilter. */
export class VisibilityFilter extends BaseEvaluator {
  readonly #ordinals: ReadonlySet<number> | undefined
  readonly #same: CellVisibility | undefined

  readonly #turn: Turn

  constructor(visibility: Visibility, turn: Turn) {
    super()
    this.#turn = turn
    this.#ordinals = visibility.kind === 'labels' ? new Set(visibility.ordinals) : undefined
    this.#same = visibility.kind === 'same' ? CellVisibility.of(visibility.tags) : undefined
  }

  override filterCell(buffer: Buffer, _cell: number, tags: number, tagsBytes: number): FilterCode {
    // A cell may have 64 KB of labels.
    this.#turn.spendBytes(tagsBytes)
    return this.#passes(buffer, tags, tagsBytes) ? FilterCode.Include : FilterCode.Skip
  }

  #passes(buffer: Buffer, tags: number, tagsBytes: number): boolean {
    if (this.#ordinals !== undefined) {
      return tagsBytes === 0 || isVisibleTo(this.#ordinals, buffer, tags, tagsBytes)
    }
    const same = this.#same!
    return tagsBytes === 0 ? same.isEmpty : same.isThatOf(CellVisibility.of(buffer, tags, tagsBytes))
  }
}
